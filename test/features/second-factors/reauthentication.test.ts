import { beforeEach, describe, expect, it } from 'vitest'
import { nextCode, withApp } from '../../support/authenticator-app.ts'
import { Browser } from '../../support/browsing.ts'
import { buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { SoftPasskey } from '../../support/soft-passkey.ts'
import { usePerTest, useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const PASSWORD = 'a fine password'
const ASKED = {
  status: 403,
  body: {
    result: 'error',
    msg: 'Confirm that it is you, or log in again, to do this.',
    code: 'REAUTHENTICATION_REQUIRED',
  },
}
const FIFTEEN_MINUTES = 15 * 60

const organization = useRealm()
const { realm } = organization
const people = usePerTest(organization, { owner2: 'owner' })
let owner: TestUser
let browser: Browser
beforeEach(async () => {
  owner = people.owner2
  browser = new Browser(realm.host)
  await browser.logIn(owner.email, PASSWORD)
})

type Act = readonly [method: string, path: string, params: () => Record<string, string | number | object>]

const ACTS: readonly Act[] = [
  ['POST', '/realm/deactivate', () => ({})],
  ['POST', '/export/realm', () => ({ export_type: 'full_with_consent' })],
  ['PATCH', '/realm', () => ({ authentication_methods: { Email: true } })],
  ['PATCH', '/realm', () => ({ second_factor_required_for: 'owners' })],
  ['PATCH', `/users/ID`, () => ({ role: 100 })],
  ['PATCH', `/users/ID`, () => ({ new_email: 'new@example.com' })],
  ['DELETE', `/users/ID`, () => ({ actions: { delete_profile: true } })],
  ['DELETE', `/users/ID/second_factors`, () => ({})],
  ['POST', '/imports', () => ({ path_id: '2/ab/archive.jsonl' })],
  ['PATCH', '/imports/1', () => ({ action: 'run' })],
  ['POST', '/invites', () => ({ invitee_emails: 'new@example.com', invite_as: 100, stream_ids: [] })],
  ['POST', '/invites/multiuse', () => ({ invite_as: 100 })],
  ['PATCH', '/settings', () => ({ email: 'new@example.com' })],
  ['POST', '/fetch_api_key', () => ({})],
  ['POST', '/users/me/api_key/regenerate', () => ({})],
  ['DELETE', '/users/me', () => ({})],
  ['POST', '/second_factors/totp', () => ({})],
  ['POST', '/second_factors/totp/confirm', () => ({ code: '123456' })],
  ['DELETE', '/second_factors/totp', () => ({})],
  ['POST', '/second_factors/recovery_codes', () => ({})],
  ['POST', '/second_factors/passkeys/options', () => ({})],
  ['DELETE', '/second_factors/passkeys/1', () => ({})],
]

/** Acts that ask for the password themselves. */
const WITH_PASSWORD: readonly Act[] = [
  ['PATCH', '/settings', () => ({ old_password: PASSWORD, new_password: 'another password' })],
  ['POST', '/fetch_api_key', () => ({ password: PASSWORD })],
]

const SAME_BUT_HARMLESS: readonly Act[] = [
  ['POST', '/export/realm', () => ({ export_type: 'public' })],
  ['PATCH', '/realm', () => ({ name: 'Another name' })],
  ['PATCH', `/users/ID`, () => ({ role: 300 })],
  ['POST', '/invites/multiuse', () => ({ invite_as: 400 })],
  ['PATCH', '/settings', () => ({ full_name: 'Another Name' })],
]

describe('an act that endangers the account or the organization', () => {
  it.each(ACTS)('needs a proof of fifteen minutes at most: %s %s', async (method, path, params) => {
    world.clockOffset += FIFTEEN_MINUTES + 1
    const other = await buildUser(realm)
    expect(await browser.json(method, path.replace('ID', String(other.id)), params())).toMatchObject(ASKED)
  })

  it.each(SAME_BUT_HARMLESS)('is not one of less: %s %s', async (method, path, params) => {
    world.clockOffset += FIFTEEN_MINUTES + 1
    const other = await buildUser(realm)
    expectSuccess(await browser.json(method, path.replace('ID', String(other.id)), params()))
  })

  it.each(WITH_PASSWORD)(
    'needs the password once, unless there is a second factor: %s %s',
    async (...act) => {
      const [method, path, params] = act
      world.clockOffset += FIFTEEN_MINUTES + 1
      const wrong = Object.fromEntries(
        Object.entries(params()).map(([name, value]) => [name, name.startsWith('new') ? value : 'wrong']),
      )
      expect(await browser.json(method, path, wrong)).toMatchObject({
        status: 400,
        body: { msg: expect.stringMatching(/[Pp]assword/) },
      })
      await withApp(owner)
      expect(await browser.json(method, path, params())).toMatchObject(ASKED)
      expectSuccess(await owner.api.delete('/second_factors/totp'))
      expectSuccess(await browser.json(method, path, params()))
    },
  )

  it('needs no other proof soon after the log-in, nor with a key', async () => {
    world.clockOffset += FIFTEEN_MINUTES - 60
    expectSuccess(await browser.json('POST', '/second_factors/totp'))
    world.clockOffset += 120
    expectSuccess(await owner.api.post('/second_factors/totp'))
  })

  it('says who may not do it before it asks for a proof', async () => {
    const member = await buildUser(realm)
    const own = new Browser(realm.host)
    await own.logIn(member.email, PASSWORD)
    world.clockOffset += FIFTEEN_MINUTES + 1
    expect((await own.json('POST', '/realm/deactivate')).body).toMatchObject({
      msg: 'Must be an organization owner',
    })
  })
})

describe('proving who is there', () => {
  const act = () => browser.json('POST', '/invites/multiuse', { invite_as: 100 })
  const prove = (params: Record<string, string>) => browser.json('POST', '/reauthentication', params)
  const question = async () => expectSuccess(await browser.json('GET', '/reauthentication'))
  const stale = () => {
    world.clockOffset += FIFTEEN_MINUTES + 1
  }

  it('takes the password of a user without a second factor', async () => {
    stale()
    expect(await question()).toMatchObject({
      proved_until: null,
      password: true,
      code: false,
      passkey: null,
      providers: [],
    })
    expect((await prove({ password: 'wrong password' })).body).toMatchObject({
      msg: 'Password is incorrect.',
    })
    expect(await act()).toMatchObject(ASKED)
    expectSuccess(await prove({ password: PASSWORD }))
    expectSuccess(await act())
    expect((await question()).proved_until).toEqual(expect.any(Number))
  })

  it('takes no password of a user with a second factor, but a code, once', async () => {
    const { app, recoveryCodes } = await withApp(owner)
    stale()
    expect(await question()).toMatchObject({ password: false, code: true, passkey: null })
    expect((await prove({ password: PASSWORD })).body).toMatchObject({
      msg: 'Use your authenticator app, your passkey, or a recovery code.',
    })
    expect((await prove({ code: '000000' })).status).toBe(400)
    const code = app.code()
    expectSuccess(await prove({ code }))
    expectSuccess(await act())
    stale()
    nextCode()
    expect((await prove({ code })).status).toBe(400)
    expect(await act()).toMatchObject(ASKED)
    expectSuccess(await prove({ code: recoveryCodes[0]! }))
    expectSuccess(await act())
  })

  it('takes a passkey of the caller alone', async () => {
    const passkeyFor = async (who: TestUser) => {
      const passkey = await SoftPasskey.make({ origin: browser.origin })
      const { options } = expectSuccess(await who.api.post('/second_factors/passkeys/options'))
      const credential = await passkey.created(options as Parameters<SoftPasskey['created']>[0])
      expectSuccess(await who.api.post('/second_factors/passkeys', { name: 'Laptop', credential }))
      return passkey
    }
    const [own, others] = [await passkeyFor(owner), await passkeyFor(await buildUser(realm))]
    stale()
    const asked = (await question()).passkey as { challenge: string; rpId: string }
    expect((await prove({ credential: await others.answered(asked) })).status).toBe(400)
    expect(await act()).toMatchObject(ASKED)
    const answer = await own.answered(asked)
    expectSuccess(await prove({ credential: answer }))
    expectSuccess(await act())
    expect((await prove({ credential: answer })).status).toBe(400)
  })

  it('counts for one browser alone', async () => {
    const second = new Browser(realm.host)
    await second.logIn(owner.email, PASSWORD)
    stale()
    expectSuccess(await prove({ password: PASSWORD }))
    expect(await second.json('POST', '/invites/multiuse', { invite_as: 100 })).toMatchObject(ASKED)
  })
})
