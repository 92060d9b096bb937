import { beforeAll, describe, expect, it, vi } from 'vitest'
import { expectSuccess } from '../support/factories.ts'
import { type Person, standInForProvider } from '../support/identity-provider.ts'
import { PNG } from '../support/images.ts'
import { changeRealm } from '../support/inside.ts'
import { buildUnused } from '../support/login-identities.ts'
import { expectRefusal } from '../support/refusals.ts'
import { useRealm } from '../support/use-realm.ts'

const { realm, owner, ann } = useRealm({ ann: 'member' })
const provider = standInForProvider(realm, { isFull: true })
const USER_INFO = '/userinfo'

let house: number
let group: number
beforeAll(async () => {
  const made = { name: 'Editors', description: '', members: [] }
  group = expectSuccess(await owner.api.post('/user_groups/create', made)).group_id
  house = await provider.add(owner, 'house', {
    auto_signup: true,
    groups_claim: 'groups',
    group_map: { editors: group },
    role_claim: 'realm_access.roles',
    role_map: { admins: 200, crew: 400 },
  })
  await changeRealm(realm, ({ sql }) => sql.run(`UPDATE user SET awaits_login = 1 WHERE id = ?`, ann.id))
})

let people = 0
/** A person whose ID token has an address, and nothing else. */
function newPerson(more: Record<string, unknown> = {}): Person & { readonly email: string } {
  people += 1
  const email = `person-${people}@example.com`
  return { sub: `subject-${people}`, email, email_verified: true, ...more }
}

const whole = { name: 'Ann', groups: [], realm_access: { roles: [] } }

const asAnn = (claims: object) =>
  provider.logIn({ sub: 'ann', email: ann.email, email_verified: true, name: 'Ann', ...claims })

/** Logs Ann in, and returns her role and whether she is in the group. */
async function rightsAfter(claims: object, info: Record<string, unknown> = {}) {
  provider.info = info
  expect((await asAnn(claims)).status).toBe(302)
  const { role } = expectSuccess(await owner.api.get(`/users/${ann.id}`)).user
  const { members } = expectSuccess(await owner.api.get(`/user_groups/${group}/members`))
  return [role, members.includes(ann.id)]
}

describe('UserInfo of a provider', () => {
  it('gives a new person the name, language and picture that the ID token lacks', async () => {
    provider.files.set('/picture', () => new Response(PNG.content as Uint8Array<ArrayBuffer>))
    provider.info = {
      given_name: 'Zoë',
      family_name: 'Zorn',
      locale: 'fr-CA',
      picture: `${provider.issuer()}/picture`,
    }
    const { browser } = await provider.logIn(newPerson())
    const { user_id, full_name } = expectSuccess(await browser.json('GET', '/users/me'))
    expect(full_name).toBe('Zoë Zorn')
    const { user_settings } = expectSuccess(
      await browser.json('POST', '/register', { fetch_event_types: ['user_settings'] }),
    )
    expect(user_settings.default_language).toBe('fr')
    const picture = async () =>
      expectSuccess(await owner.api.get(`/users/${user_id}`, { client_gravatar: false })).user.avatar_url
    // It comes after the log-in.
    await expect.poll(picture, { timeout: 20_000 }).toMatch(/^\/user_avatars\//)
  })

  it('says less than the ID token, where both say something', async () => {
    provider.info = { name: 'Of UserInfo', locale: 'de', email: 'other@example.com', email_verified: true }
    const { browser } = await provider.logIn(newPerson({ name: 'Of the token', locale: 'ja' }))
    const { user_settings } = expectSuccess(
      await browser.json('POST', '/register', { fetch_event_types: ['user_settings'] }),
    )
    expect(user_settings.default_language).toBe('ja')
    expect(expectSuccess(await browser.json('GET', '/users/me')).full_name).toBe('Of the token')
  })

  it('gives the groups and the role that the ID token lacks', async () => {
    const info = { groups: ['editors'], realm_access: { roles: ['admins'] } }
    expect(await rightsAfter({}, info)).toEqual([200, true])
    expect(await rightsAfter({ realm_access: { account: [] } }, { ...info, groups: [] })).toEqual([
      200,
      false,
    ])
    expect(await rightsAfter({ groups: ['editors'] }, { realm_access: { roles: ['crew'] } })).toEqual([
      400,
      true,
    ])
  })

  it.each([
    ['in neither', {}, {}, [200, true]],
    [
      'null in the ID token, and absent in UserInfo',
      { groups: null, realm_access: { roles: null } },
      {},
      [400, false],
    ],
    ['an empty list in the ID token', { groups: [], realm_access: { roles: [] } }, {}, [400, false]],
    ['an empty list in UserInfo', {}, { groups: [], realm_access: { roles: [] } }, [400, false]],
  ] as const)(
    'changes groups and role by what it says: a claim that is %s',
    async (_, claims, info, rights) => {
      await rightsAfter({ groups: ['editors'], realm_access: { roles: ['admins'] } })
      expect(await rightsAfter(claims, info)).toEqual(rights)
    },
  )

  it('is not asked where the ID token has name, address and what is mapped', async () => {
    await provider.logIn(newPerson(whole))
    expect(provider.asked).not.toContain(USER_INFO)
    for (const name of ['name', 'groups', 'realm_access', 'email']) {
      provider.asked.length = 0
      await provider.logIn(newPerson({ ...whole, [name]: undefined }))
      expect([name, provider.asked.includes(USER_INFO)]).toEqual([name, true])
    }
  })

  it('keeps nobody out who has an address without it, and changes nothing then', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    await rightsAfter({ groups: ['editors'], realm_access: { roles: ['admins'] } })
    const none = { groups: [], realm_access: { roles: [] } }
    expect(await rightsAfter({}, { ...none, sub: 'somebody else' })).toEqual([200, true])
    for (const status of [401, 500]) {
      provider.files.set(USER_INFO, () => new Response('', { status }))
      expect(await rightsAfter({}, none)).toEqual([200, true])
      const { status: without } = await provider.logIn(newPerson({ email: undefined }))
      expect([status, without]).toEqual([status, status === 500 ? 503 : 400])
    }
    provider.files.delete(USER_INFO)
  })
})

describe('the claim for the address', () => {
  const change = (settings: Record<string, string | boolean>) =>
    owner.api.patch(`/login_providers/${house}`, settings)

  it('can be another than “email” where the provider is trusted', async () => {
    const untrusted =
      'Providers verify only the claim “email”. Trust the addresses of this provider, or take them from “email”.'
    expectRefusal(await change({ email_claim: 'preferred_username' }), untrusted)
    expectSuccess(await change({ email_claim: 'preferred_username', trusts_email: true }))
    expectRefusal(await change({ trusts_email: false }), untrusted)
    const user = await buildUnused(realm)
    const person = { ...newPerson(whole), preferred_username: user.email.toUpperCase() }
    const { browser } = await provider.logIn(person)
    expect(expectSuccess(await browser.json('GET', '/users/me')).user_id).toBe(user.id)
  })

  it('is the only one that counts, and may be in UserInfo', async () => {
    const { refusal } = await provider.logIn(newPerson({ ...whole, preferred_username: 'zoe' }))
    expect(refusal).toMatch(/^The house didn’t share your email address/)
    const user = await buildUnused(realm)
    provider.info = { preferred_username: user.email }
    const { browser } = await provider.logIn({ sub: 'by user info', ...whole })
    expect(expectSuccess(await browser.json('GET', '/users/me')).user_id).toBe(user.id)
  })

  it('is “email” again when it is emptied', async () => {
    expect(expectSuccess(await change({ email_claim: '  ', trusts_email: false })).email_claim).toBe('email')
    const user = await buildUnused(realm)
    const { status } = await provider.logIn(newPerson({ ...whole, email: user.email, upn: ann.email }))
    expect(status).toBe(302)
  })
})
