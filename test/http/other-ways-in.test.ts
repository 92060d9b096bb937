import { describe, expect, it } from 'vitest'
import { expectSuccess } from '../support/factories.ts'
import { addLoginProvider, connectTo } from '../support/login-identities.ts'
import { visit } from '../support/pages.ts'
import { turnRealmSettings } from '../support/realm-settings.ts'
import { useRealmPerTest } from '../support/use-realm.ts'

const PAD = '00ff102a'.repeat(8)

const { realm, owner } = useRealmPerTest()

const show = (path: string, headers = {}) => visit(`http://${realm.host}${path}`, { headers })
const linksOn = (text: string) =>
  [...text.matchAll(/class="button" href="([^"]+)">([^<]+)</g)].map(([, ...found]) => found)

describe('the log-in page', () => {
  it('has a link for each other way in, which leads to where it leads itself', async () => {
    expect(linksOn((await show('/accounts/login/')).text)).toEqual([])
    await addLoginProvider(realm, 'work', { display_name: 'Acme & Co' })
    await addLoginProvider(realm, 'off', { is_enabled: false })
    const words = 'Log in with Acme &#38; Co'
    const way = '/accounts/login/social/work'
    expect(linksOn((await show('/accounts/login/')).text)).toEqual([[way, words]])
    const leading = {
      '/login/?next=/de/%23inbox': `${way}?next=%2Fde%2F%23inbox`,
      '/login/?next=//elsewhere.example': way,
      [`/accounts/login/?mobile_flow_otp=${PAD}`]: `${way}?mobile_flow_otp=${PAD}`,
      [`/accounts/login/?desktop_flow_otp=${PAD}`]: `${way}?desktop_flow_otp=${PAD}`,
    }
    for (const [path, href] of Object.entries(leading)) {
      expect(linksOn((await show(path)).text)).toEqual([[href, words]])
    }
    const german = await show('/accounts/login/', { 'Accept-Language': 'de' })
    expect(linksOn(german.text)).toEqual([[way, 'Mit Acme &#38; Co anmelden']])
  })

  it('asks for no password where nobody can log in with one', async () => {
    const id = await addLoginProvider(realm, 'work')
    await connectTo(realm, id, owner)
    expect((await show('/accounts/login/')).text).toContain('type="password"')
    await turnRealmSettings(realm, { authentication_methods: { Email: false, 'OpenID Connect': true } })
    const { text } = await show('/accounts/login/')
    expect([text.includes('type="password"'), linksOn(text).length]).toEqual([false, 1])
    expect(text).not.toContain('/accounts/password/reset')
  })
})

describe('the page of an invitation', () => {
  it('leads people to other ways in with their invitation', async () => {
    await addLoginProvider(realm, 'work', { display_name: 'Acme' })
    const { invite_link } = expectSuccess(await owner.api.post('/invites/multiuse'))
    const secret = new URL(invite_link).pathname.split('/').filter(Boolean).at(-1)
    const { text } = await show(`/join/${secret}/`)
    expect(linksOn(text)).toEqual([
      [`/accounts/register/social/work?multiuse_object_key=${secret}`, 'Join with Acme'],
    ])
  })
})
