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
