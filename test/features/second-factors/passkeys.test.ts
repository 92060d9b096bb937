import { beforeEach, describe, expect, it } from 'vitest'
import { withApp } from '../../support/authenticator-app.ts'
import { Browser } from '../../support/browsing.ts'
import { buildUser, createBot, expectSuccess, type TestUser } from '../../support/factories.ts'
import { readJson } from '../../support/json.ts'
import { SoftPasskey } from '../../support/soft-passkey.ts'
import { usePerTest, useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const PASSWORD = 'a fine password'
const UNFIT = 'This passkey does not fit. Try again, or use another way.'
const OVER = 'That took too long, or was already done. Try again.'

const organization = useRealm()
const { realm } = organization
const { realm: other } = useRealm()
const people = usePerTest(organization, { user: 'member' })
let user: TestUser
beforeEach(() => {
  user = people.user
})

const origin = () => `http://${realm.host}`

async function begin({ api }: TestUser) {
  const { options } = expectSuccess(await api.post('/second_factors/passkeys/options'))
  return options as { challenge: string; rp: { id: string }; user: { id: string } }
}

const add = ({ api }: TestUser, credential: string, name = 'Laptop') =>
  api.post('/second_factors/passkeys', { name, credential })

/** Makes a passkey, and adds it to an account. */
async function passkeyOf(who = user, counts = false): Promise<SoftPasskey> {
  const passkey = await SoftPasskey.make({ origin: origin(), counts })
  expectSuccess(await add(who, await passkey.created(await begin(who))))
  return passkey
}

const passkeysOf = async ({ api }: TestUser) =>
  expectSuccess(await api.get('/second_factors')).passkeys as Record<string, unknown>[]

interface Answer {
  readonly status: number
  readonly body: Record<string, unknown>
}

async function ask(browser: Browser, path: string, fields: Record<string, string>): Promise<Answer> {
  const headers = { Accept: 'application/json', Origin: browser.origin }
  const response = await browser.ask('POST', path, { body: new URLSearchParams(fields), headers })
  return { status: response.status, body: await readJson<Answer['body']>(response) }
}

async function challengeFor(browser: Browser, ticket = '') {
  const { body } = await ask(browser, '/accounts/login/passkey/options/', { ticket })
  return body.options as { challenge: string; rpId: string; allowCredentials: { id: string }[] }
}

const logIn = (browser: Browser, credential: string, ticket = '') =>
  ask(browser, '/accounts/login/passkey/', { ticket, credential })

const outcome = ({ status, body }: Answer) => [status, body.msg]

describe('a passkey', () => {
  it('is added under a name, with recovery codes at the first', async () => {
    const passkey = await SoftPasskey.make({ origin: origin() })
    const options = await begin(user)
    expect(options).toMatchObject({
      rp: { id: realm.host, name: 'Test' },
      user: { name: user.email, displayName: user.fullName },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
      excludeCredentials: [],
    })
    const added = expectSuccess(await add(user, await passkey.created(options), ' Laptop '))
    expect(added.recovery_codes).toHaveLength(10)
    expect(await passkeysOf(user)).toEqual([
      { id: added.id, name: 'Laptop', is_backed_up: false, made_at: expect.any(Number), used_at: null },
    ])
    const second = await SoftPasskey.make({ origin: origin() })
    const next = await begin(user)
    expect(next).toMatchObject({ excludeCredentials: [{ id: passkey.id, type: 'public-key' }] })
    expect(expectSuccess(await add(user, await second.created(next))).recovery_codes).toEqual([])
  })

  it('is renamed and removed by its owner alone', async () => {
    await passkeyOf()
    const [{ id }] = (await passkeysOf(user)) as [{ id: number }]
    const stranger = await buildUser(realm)
    for (const refused of [
      await stranger.api.patch(`/second_factors/passkeys/${id}`, { name: 'Mine' }),
      await stranger.api.delete(`/second_factors/passkeys/${id}`),
      await user.api.delete('/second_factors/passkeys/999'),
    ]) {
      expect([refused.status, refused.body]).toEqual([
        400,
        { result: 'error', msg: 'No such passkey', code: 'BAD_REQUEST' },
      ])
    }
    const renamed = (name: string) => user.api.patch(`/second_factors/passkeys/${id}`, { name })
    expectSuccess(await renamed('Phone'))
    expect((await renamed(' ')).body).toMatchObject({ msg: 'Give the passkey a name.' })
    expect((await renamed('x'.repeat(61))).body).toMatchObject({
      msg: 'name is too long (limit: 60 characters)',
    })
    expect(await passkeysOf(user)).toMatchObject([{ name: 'Phone' }])
    expectSuccess(await user.api.delete(`/second_factors/passkeys/${id}`))
    expect(expectSuccess(await user.api.get('/second_factors'))).toMatchObject({
      passkeys: [],
      recovery_codes_left: 0,
    })
  })

  it('is refused for another site, an old or a used challenge, and for another user', async () => {
    const passkey = await SoftPasskey.make({ origin: origin() })
    const unfit = { status: 400, body: { result: 'error', msg: UNFIT, code: 'BAD_REQUEST' } }
    const options = await begin(user)
    for (const elsewhere of [{ origin: 'https://elsewhere.example' }, { rpId: 'elsewhere.example' }]) {
      expect(await add(user, await passkey.created(options, elsewhere))).toMatchObject(unfit)
    }
    expect(await add(user, await passkey.created({ ...options, challenge: 'bWFkZSB1cA' }))).toMatchObject({
      body: { msg: OVER },
    })
    const stranger = await buildUser(realm)
    expect((await add(stranger, await passkey.created(options))).body).toMatchObject({ msg: OVER })
    const credential = await passkey.created(options)
    expectSuccess(await add(user, credential))
    expect((await add(user, credential)).body).toMatchObject({ msg: OVER })
    const again = await begin(stranger)
    expect((await add(stranger, await passkey.created(again))).body).toMatchObject({
      msg: 'This passkey was added already.',
    })
    const old = await begin(user)
    world.clockOffset += 301
    const late = await SoftPasskey.make({ origin: origin() })
    expect((await add(user, await late.created(old))).body).toMatchObject({ msg: OVER })
  })

  it('is refused when it is broken, or for a bot', async () => {
    for (const credential of ['{}', '{"id":"x","rawId":"x","type":"public-key","response":{}}']) {
      expect((await add(user, credential)).status).toBe(400)
    }
    const response = { clientDataJSON: 'e30', attestationObject: 'AAAA' }
    const broken = JSON.stringify({ id: 'AA', rawId: 'AA', type: 'public-key', response })
    expect((await add(user, broken)).body).toMatchObject({ msg: UNFIT })
    const { api } = await createBot(realm.owner, 'Bot')
    expect((await api.post('/second_factors/passkeys/options')).body).toMatchObject({
      msg: 'This endpoint does not accept bot requests.',
    })
  })

  it('cannot be the twenty-first', async () => {
    const made = Array.from({ length: 20 }, () => passkeyOf())
    await Promise.all(made)
    expect((await user.api.post('/second_factors/passkeys/options')).body).toMatchObject({
      msg: 'You can have at most 20 passkeys. Remove one that you no longer use.',
    })
  })
})

describe('logging in with a passkey', () => {
  it('needs no name', async () => {
    const passkey = await passkeyOf()
    const browser = new Browser(realm.host)
    const options = await challengeFor(browser)
    expect(options).toMatchObject({ rpId: realm.host, allowCredentials: [] })
    expect((await logIn(browser, await passkey.answered(options))).status).toBe(200)
    expect(expectSuccess(await browser.json('GET', '/users/me')).user_id).toBe(user.id)
    expect(await passkeysOf(user)).toMatchObject([{ used_at: expect.any(Number) }])
  })

  it('answers each challenge once, and within five minutes', async () => {
    const passkey = await passkeyOf()
    const browser = new Browser(realm.host)
    const options = await challengeFor(browser)
    expect((await logIn(browser, await passkey.answered(options))).status).toBe(200)
    expect(outcome(await logIn(browser, await passkey.answered(options)))).toEqual([400, OVER])
    const old = await challengeFor(browser)
    world.clockOffset += 301
    expect(outcome(await logIn(browser, await passkey.answered(old)))).toEqual([400, OVER])
  })

  it('is refused for another site or account, or without its signature', async () => {
    const passkey = await passkeyOf()
    const browser = new Browser(realm.host)
    const options = await challengeFor(browser)
    for (const wrong of [
      { origin: 'https://elsewhere.example' },
      { rpId: 'elsewhere.example' },
      { handle: 'MTIzNDU2Nzg5' },
    ]) {
      expect(outcome(await logIn(browser, await passkey.answered(options, wrong)))).toEqual([400, UNFIT])
    }
    const forged = await SoftPasskey.make({ origin: origin() })
    Object.assign(forged, { id: passkey.id })
    expect(outcome(await logIn(browser, await forged.answered(options, { handle: undefined })))).toEqual([
      400,
      UNFIT,
    ])
    const unknown = await SoftPasskey.make({ origin: origin() })
    expect(outcome(await logIn(browser, await unknown.answered(options)))).toEqual([400, UNFIT])
    for (const credential of ['', 'no JSON', '{}']) {
      expect(outcome(await logIn(browser, credential))).toEqual([400, UNFIT])
    }
    expect(browser.cookies.size).toBe(0)
  })

  it('is refused by another organization', async () => {
    const passkey = await passkeyOf()
    const browser = new Browser(other.host)
    const options = await challengeFor(browser)
    const elsewhere = { origin: `http://${other.host}` }
    expect(outcome(await logIn(browser, await passkey.answered(options, elsewhere)))).toEqual([400, UNFIT])
  })

  it('is refused when its count of uses does not rise', async () => {
    const passkey = await passkeyOf(user, true)
    const browser = new Browser(realm.host)
    expect((await logIn(browser, await passkey.answered(await challengeFor(browser)))).status).toBe(200)
    passkey.counter -= 1
    expect(outcome(await logIn(browser, await passkey.answered(await challengeFor(browser))))).toEqual([
      400,
      UNFIT,
    ])
    expect((await logIn(browser, await passkey.answered(await challengeFor(browser)))).status).toBe(200)
  })

  it('is refused without a name if the passkey has not verified its owner', async () => {
    const passkey = await passkeyOf()
    const browser = new Browser(realm.host)
    const answer = await passkey.answered(await challengeFor(browser), { isVerified: false })
    expect(outcome(await logIn(browser, answer))).toEqual([
      400,
      'Your passkey has not checked that it is you. Log in with your password, and use it as the second step.',
    ])
  })

  it('is refused for a closed account', async () => {
    const passkey = await passkeyOf()
    expectSuccess(await realm.owner.api.delete(`/users/${user.id}`))
    const browser = new Browser(realm.host)
    const answer = await passkey.answered(await challengeFor(browser))
    expect(outcome(await logIn(browser, answer))).toEqual([401, 'Account is deactivated'])
  })

  it('follows the password, of one account alone', async () => {
    const passkey = await passkeyOf()
    const stranger = await buildUser(realm)
    const of = await passkeyOf(stranger)
    const browser = new Browser(realm.host)
    const asked = await ask(browser, '/accounts/login/', { username: user.email, password: PASSWORD })
    const { ticket, ...question } = asked.body.second_factor as { ticket: string }
    expect(question).toEqual({ must_set_up: false, has_totp: false, has_passkey: true })
    const options = await challengeFor(browser, ticket)
    expect(options.allowCredentials).toMatchObject([{ id: passkey.id }])
    expect(outcome(await logIn(browser, await of.answered(options), ticket))).toEqual([400, UNFIT])
    // As a second step it need not check who its owner is. The answer of the stranger has used nothing up.
    const answer = await passkey.answered(options, { isVerified: false })
    expect((await logIn(browser, answer, ticket)).status).toBe(200)
    expect(expectSuccess(await browser.json('GET', '/users/me')).user_id).toBe(user.id)
  })

  it('takes no challenge of a log-in for a second step, nor the reverse', async () => {
    const passkey = await passkeyOf()
    await withApp(user)
    const browser = new Browser(realm.host)
    const asked = await ask(browser, '/accounts/login/', { username: user.email, password: PASSWORD })
    const { ticket } = asked.body.second_factor as { ticket: string }
    const [nameless, second] = [await challengeFor(browser), await challengeFor(browser, ticket)]
    expect(outcome(await logIn(browser, await passkey.answered(nameless), ticket))).toEqual([400, OVER])
    expect(outcome(await logIn(browser, await passkey.answered(second)))).toEqual([400, OVER])
  })
})
