import { beforeAll, describe, expect, it } from 'vitest'
import { buildUser, expectSuccess } from '../support/factories.ts'
import { changeRealm } from '../support/inside.ts'
import { type Page, postForm, visit } from '../support/pages.ts'
import { turnRealmSettings } from '../support/realm-settings.ts'
import { buildRealm, useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

const PAD = '00ff102a'.repeat(8)
const PASSWORD = 'a fine password'

const { realm } = useRealm()
/** The owner of another organization. */
const { owner: stranger } = useRealm()
let address: string
beforeAll(() => {
  address = `http://${realm.host}/accounts/login/?mobile_flow_otp=${PAD}`
})

const log = (email: string, password: string, to = address) => postForm(to, { email, password })

/** Returns the key that the app reads from the address that opens it. */
function keyIn(page: Page, pad = PAD): string {
  const hex = new URL(page.headers.get('location')!).searchParams.get('otp_encrypted_api_key')!
  const bytes = (text: string) => text.match(/../g)!.map((byte) => Number.parseInt(byte, 16))
  const key = bytes(pad)
  return String.fromCharCode(...bytes(hex).map((byte, index) => byte ^ key[index]!))
}

describe('the login in a browser, for an app', () => {
  it('shows a form, whose policy allows redirecting to the app', async () => {
    const page = await visit(address)
    expect(page.status).toBe(200)
    expect(page.text).toContain('type="password"')
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self' zulip:")
    expect(page.headers.get('cache-control')).toBe('no-store')
  })

  it('opens the app with the key, readable only with the pad', async () => {
    const user = await buildUser(realm, { email: `ann+1@${realm.host}` })
    for (const path of ['/accounts/login/', '/accounts/login']) {
      const page = await log(user.email, PASSWORD, `http://${realm.host}${path}?mobile_flow_otp=${PAD}`)
      expect(page.status).toBe(302)
      const location = page.headers.get('location')!
      expect(location).toMatch(/^zulip:\/\/login\?/)
      expect(location).not.toContain(user.apiKey)
      const answer = new URL(location).searchParams
      expect(Object.fromEntries(answer)).toEqual({
        realm: `http://${realm.host}`,
        email: user.email,
        user_id: String(user.id),
        otp_encrypted_api_key: expect.stringMatching(/^[0-9a-f]{64}$/),
      })
      expect(keyIn(page)).toBe(user.apiKey)
    }
  })

  it('answers with this very address, which apps take apart', async () => {
    const user = await buildUser(realm, { email: 'ann+1@example.com' })
    await changeRealm(realm, (tx) =>
      tx.sql.run(`UPDATE user SET api_key = 'abcdefghijklmnopABCDEFGHIJ012345' WHERE id = ?`, user.id),
    )
    const page = await log(user.email, PASSWORD)
    expect(page.status).toBe(302)
    expect(page.headers.get('location')).toBe(
      `zulip://login?realm=http%3A%2F%2F${realm.host}&email=ann%2B1%40example.com&user_id=${user.id}` +
        '&otp_encrypted_api_key=619d734e6599774269957b466d917f5a41bd536e45b9576249b5201b32cc241f',
    )
  })

  it('accepts a pad in capitals too', async () => {
    const user = await buildUser(realm)
    const to = `http://${realm.host}/accounts/login/?mobile_flow_otp=${PAD.toUpperCase()}`
    expect(keyIn(await log(user.email, PASSWORD, to))).toBe(user.apiKey)
  })

  it.each(['abc', `${PAD}00`, PAD.replace('f', 'g'), ''])('refuses the pad "%s"', async (pad) => {
    const to = `http://${realm.host}/accounts/login/?mobile_flow_otp=${pad}`
    expect((await visit(to)).status).toBe(400)
    const user = await buildUser(realm)
    const posted = await log(user.email, PASSWORD, to)
    expect([posted.status, posted.headers.get('location')]).toEqual([400, null])
  })

  it('shows the form again after a wrong password, the same for an unknown address', async () => {
    const user = await buildUser(realm)
    for (const email of [user.email, 'nobody@example.com']) {
      const page = await log(email, 'a wrong password')
      expect(page.status).toBe(401)
      expect(page.text).toContain('reset your password')
      expect(page.text).toContain(`value="${email}"`)
      expect(page.text).not.toContain('a wrong password')
    }
  })

  it('escapes what was entered', async () => {
    const page = await log('"><script>alert(1)</script>', 'x')
    expect(page.status).toBe(400)
    expect(page.text).not.toContain('<script>')
  })

  it('shares its limit with POST /fetch_api_key', async () => {
    const user = await buildUser(realm)
    for (let attempt = 1; attempt <= 3; attempt += 1) await log(user.email, 'wrong')
    // The page's network: elsewhere, where nobody has logged in, the name is counted apart.
    const headers = { 'CF-Connecting-IP': '192.0.2.1' }
    const fetchKey = (password: string) =>
      realm.anonymous.request('POST', '/fetch_api_key', { username: user.email, password }, { headers })
    for (let attempt = 1; attempt <= 2; attempt += 1) await fetchKey('wrong')
    const page = await log(user.email, PASSWORD)
    expect(page.status).toBe(429)
    expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(1_700)
    expect((await fetchKey(PASSWORD)).status).toBe(429)
    world.clockOffset = 1_801
    expect((await log(user.email, PASSWORD)).status).toBe(302)
  })

  it('refuses deactivated accounts, bots, and users of another organization', async () => {
    const user = await buildUser(realm)
    expectSuccess(await realm.owner.api.delete(`/users/${user.id}`))
    expect((await log(user.email, PASSWORD)).text).toContain('Your account is deactivated.')
    for (const email of [stranger.email, `notification-bot@${realm.host}`]) {
      const page = await log(email, 'correct horse')
      expect([page.status, page.headers.get('location')]).toEqual([401, null])
    }
  })

  it('is off if passwords are disabled, or the organization is deactivated', async () => {
    const { realm: closed } = await buildRealm()
    const to = `http://${closed.host}/accounts/login/?mobile_flow_otp=${PAD}`
    await turnRealmSettings(closed, { authentication_methods: { Email: false } })
    const refused = await closed.anonymous.post('/fetch_api_key', {
      username: closed.owner.email,
      password: 'correct horse',
    })
    expect(refused.status).toBe(401)
    expect(refused.body).toMatchObject({
      code: 'PASSWORD_AUTH_DISABLED',
      msg: 'Password authentication is disabled in this organization',
    })
    expect((await log(closed.owner.email, 'correct horse', to)).status).toBe(401)
    expectSuccess(await closed.owner.api.post('/realm/deactivate'))
    const page = await log(closed.owner.email, 'correct horse', to)
    expect(page.text).toContain('This organization has been deactivated')
  })

  it('finds no organization at another host', async () => {
    const to = `http://nobody.test/accounts/login/?mobile_flow_otp=${PAD}`
    expect((await log('a@b.c', 'x', to)).status).toBe(404)
  })
})
