import { beforeAll, describe, expect, it } from 'vitest'
import { Browser } from '../support/browsing.ts'
import { type Person, standInForProvider } from '../support/identity-provider.ts'
import { mailsTo } from '../support/pages.ts'
import { turnRealmSettings } from '../support/realm-settings.ts'
import { MINUTE } from '../support/times.ts'
import { useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

const { realm, owner } = useRealm()
const provider = standInForProvider(realm)
const zoe: Person & { readonly email: string } = {
  ...{ sub: 'zoe', email: 'zoe@example.org', email_verified: true, name: 'Zoë' },
}

beforeAll(async () => {
  await provider.add(owner, 'house', { auto_signup: true })
  await turnRealmSettings(realm, { authentication_methods: { Email: false, 'OpenID Connect': true } })
})

const mailCalled = async (subject: RegExp) =>
  (await mailsTo(realm.host, zoe.email)).find((mail) => subject.test(mail.subject))

describe('mail to people who log in without a password', () => {
  it('welcomes them without a word about passwords', async () => {
    await provider.logIn(zoe)
    const mail = await mailCalled(/^Welcome/)
    expect(mail!.body).toContain('You log in with zoe@example.org')
    expect(mail!.body).not.toMatch(/password/i)
  })

  it('tells those who have not logged in themselves what helps', async () => {
    world.clockOffset += 2 * MINUTE
    const headers = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }
    const browser = new Browser(realm.host)
    const sent = await browser.ask('GET', '/accounts/login/social/house', { headers })
    const back = provider.comeBack(sent.headers.get('location')!, zoe)
    expect((await browser.ask('GET', back, { headers })).status).toBe(302)
    const mail = await mailCalled(/^New login/)
    expect(mail!.body).toContain('log out everywhere here, secure your account with the login provider')
    expect(mail!.body).not.toMatch(/password/i)
  })
})
