import { describe, expect, it } from 'vitest'
import { ApiClient } from '../../support/api.ts'
import { Browser } from '../../support/browsing.ts'
import { expectSuccess } from '../../support/factories.ts'
import { usePerTest, useRealm } from '../../support/use-realm.ts'

const organization = useRealm()
const { realm } = organization
const people = usePerTest(organization, { ann: 'member', bea: 'member' })

async function browserOf(email: string): Promise<Browser> {
  const browser = new Browser(realm.host)
  await browser.logIn(email, 'a fine password')
  return browser
}

describe('logging out everywhere else', () => {
  it('leaves this browser alone, and nobody else is logged out', async () => {
    const { ann, bea } = people
    const [here, there, other] = [
      await browserOf(ann.email),
      await browserOf(ann.email),
      await browserOf(bea.email),
    ]
    expectSuccess(await ann.api.post('/register_client_device'))
    expectSuccess(await here.json('DELETE', '/browser_sessions'))
    expect(expectSuccess(await here.json('GET', '/browser_sessions')).sessions).toMatchObject([
      { is_current: true },
    ])
    expect(expectSuccess(await here.json('GET', '/client_devices')).devices).toEqual([])
    expect((await there.json('GET', '/users/me')).status).toBe(401)
    expect((await ann.api.get('/users/me')).status).toBe(401)
    expectSuccess(await other.json('GET', '/users/me'))
    expectSuccess(await bea.api.get('/users/me'))
  })

  it('gives a caller with the key the new one', async () => {
    const { ann } = people
    const browser = await browserOf(ann.email)
    const { api_key } = expectSuccess(await ann.api.delete('/browser_sessions'))
    expect((await browser.json('GET', '/users/me')).status).toBe(401)
    expect((await ann.api.get('/users/me')).status).toBe(401)
    const { host, id } = realm
    const anew = new ApiClient({ host, realmId: id, email: ann.email, apiKey: String(api_key) })
    expectSuccess(await anew.get('/users/me'))
  })
})
