import { describe, expect, it } from 'vitest'
import { addPasskey } from '../../support/add-passkey.ts'
import { buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { inRealm } from '../../support/inside.ts'
import type { Json } from '../../support/json.ts'
import { connectTo } from '../../support/login-identities.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { useRealmPerTest } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { realm, owner, admin } = useRealmPerTest({ admin: 'administrator' })

const GOOD = {
  slug: 'work',
  issuer: 'https://login.example.com/acme/',
  client_id: 'parley',
  client_secret: 'a secret of the client',
}
const add = (changes: object = {}) => owner.api.post('/login_providers', { ...GOOD, ...changes })
const change = (id: number, changes: object) => owner.api.patch(`/login_providers/${id}`, { ...changes })
const list = async (): Promise<Json[]> =>
  expectSuccess(await owner.api.get('/login_providers')).login_providers

const connect = (provider: number, user: TestUser) => connectTo(realm, provider, user)
const identities = () =>
  inRealm(realm, ({ parts }) => parts.sql.all<{ user_id: number }>(`SELECT user_id FROM login_identity`))

const methods = async () => {
  const { snapshot } = await openQueue(admin)
  return snapshot.realm_authentication_methods
}
const settings = async () => expectSuccess(await realm.anonymous.get('/server_settings'))

const OFF = {
  'OpenID Connect': {
    enabled: false,
    available: false,
    unavailable_reason: 'No OpenID Connect provider is set up for this organization.',
  },
  GitHub: {
    enabled: false,
    available: false,
    unavailable_reason: 'GitHub is not set up for this organization.',
  },
}
const ON = { enabled: true, available: true }

describe('a log-in provider', () => {
  it('is made, changed, listed and removed by owners alone', async () => {
    const made = expectSuccess(await add({ preset: 'keycloak', groups_claim: 'groups', auto_signup: true }))
    expect(made).toMatchObject({
      slug: 'work',
      preset: 'keycloak',
      display_name: 'Keycloak',
      issuer: 'https://login.example.com/acme/',
      has_secret: true,
      token_auth: 'basic',
      scopes: 'openid email profile',
      is_enabled: true,
      auto_signup: true,
      trusts_email: false,
      groups_claim: 'groups',
      group_map: {},
      redirect_uri: `http://${realm.host}/complete/work/`,
      backchannel_logout_uri: `http://${realm.host}/accounts/logout/backchannel/work`,
    })
    const changed = expectSuccess(await change(made.id, { display_name: ' Acme ', trusts_email: true }))
    expect(changed).toMatchObject({ display_name: 'Acme', trusts_email: true, auto_signup: true })
    const { result: _, msg: __, ...listed } = changed
    expect(await list()).toEqual([listed])
    const path = `/login_providers/${made.id}`
    for (const refused of [
      await admin.api.get('/login_providers'),
      await admin.api.post('/login_providers', { ...GOOD, slug: 'other' }),
      await admin.api.patch(path, { display_name: 'Mine' }),
      await admin.api.delete(path),
      await admin.api.post(`${path}/test`),
    ]) {
      expectRefusal(refused, 'Must be an organization owner', { code: 'UNAUTHORIZED_PRINCIPAL' })
    }
    expectSuccess(await owner.api.delete(path))
    expect(await list()).toEqual([])
    expectRefusal(await owner.api.delete(path), 'Invalid log-in provider', { status: 404 })
    expectRefusal(await change(made.id, {}), 'Invalid log-in provider', { status: 404 })
  })

  it('never shows its secret, and stores it sealed', async () => {
    const { id } = expectSuccess(await add())
    expectSuccess(await change(id, { display_name: 'Work' }))
    expectSuccess(await change(id, { client_secret: 'another secret of the client' }))
    expect(JSON.stringify(await list())).not.toContain('secret of')
    const dump = await inRealm(realm, ({ parts }) => [
      ...parts.sql.all(`SELECT * FROM login_provider`),
      ...parts.sql.all(`SELECT * FROM audit_entry`),
      ...parts.sql.all(`SELECT * FROM log`),
    ])
    expect(JSON.stringify(dump)).toContain('"client_secret":"1.')
    expect(JSON.stringify(dump)).not.toContain('secret of')
  })

  it('cannot be made with a secret where the deployment has no key', async () => {
    world.settings = { SECRETS_KEY: '' }
    expectRefusal(await add(), 'This server cannot keep secrets yet. Ask its operator to set SECRETS_KEY.')
    expect(await list()).toEqual([])
    expectSuccess(await add({ client_secret: '' }))
    expect(await list()).toMatchObject([{ has_secret: false, token_auth: 'none' }])
  })

  it('begins with what its kind needs', async () => {
    for (const [preset, expected] of [
      ['google', { issuer: 'https://accounts.google.com', display_name: 'Google', token_auth: 'basic' }],
      ['gitlab', { issuer: 'https://gitlab.com', display_name: 'GitLab' }],
      [
        'github',
        {
          issuer: 'https://github.com',
          display_name: 'GitHub',
          token_auth: 'post',
          scopes: 'read:user user:email',
        },
      ],
    ] as const) {
      const { issuer: _, ...entered } = GOOD
      expect(
        expectSuccess(await owner.api.post('/login_providers', { ...entered, slug: preset, preset })),
      ).toMatchObject(expected)
    }
  })

  it.each([
    [
      { slug: 'Work' },
      'The name in addresses can have only lower-case letters, digits and hyphens, at most 40.',
    ],
    [
      { slug: 'a/b' },
      'The name in addresses can have only lower-case letters, digits and hyphens, at most 40.',
    ],
    [
      { slug: 'a'.repeat(41) },
      'The name in addresses can have only lower-case letters, digits and hyphens, at most 40.',
    ],
    [{ preset: 'facebook' }, 'Invalid preset'],
    [{ issuer: '' }, 'Enter the address of the provider (its issuer).'],
    [
      { issuer: 'login.example.com' },
      'The address of the provider must be complete, like https://login.example.com/path.',
    ],
    [
      { issuer: 'https://ann:pw@login.example.com' },
      'The address of the provider must be complete, like https://login.example.com/path.',
    ],
    [
      { issuer: 'https://login.example.com/?tenant=1' },
      'The address of the provider must be complete, like https://login.example.com/path.',
    ],
    [{ issuer: 'http://login.example.com' }, 'The address of the provider must begin with https://.'],
    [
      { issuer: 'https://10.0.0.1' },
      'This server may not call the address of the provider: it must be public.',
    ],
    [
      { issuer: 'https://localhost' },
      'This server may not call the address of the provider: it must be public.',
    ],
    [
      { preset: 'entra', issuer: 'https://login.microsoftonline.com/common/v2.0' },
      'This address stands for every Microsoft tenant. Put the ID of your own tenant in its place: https://login.microsoftonline.com/TENANT-ID/v2.0.',
    ],
    [
      { issuer: 'https://login.microsoftonline.com/organizations/v2.0' },
      'This address stands for every Microsoft tenant. Put the ID of your own tenant in its place: https://login.microsoftonline.com/TENANT-ID/v2.0.',
    ],
    [{ client_id: ' ' }, 'Enter the client ID that the provider has given you.'],
    [{ display_name: ' ' }, 'Enter a name for the button.'],
    [{ icon_url: 'http://example.com/a.png' }, 'The address of the picture must begin with https://.'],
    [{ icon_url: 'javascript:alert(1)' }, 'The address of the picture must begin with https://.'],
    [
      { client_secret: '', token_auth: 'post' },
      'Enter the client secret, or choose that the client has none.',
    ],
    [{ token_auth: 'none' }, 'Leave the client secret empty for a client without one.'],
    [{ preset: 'github', client_secret: '' }, 'GitHub asks for a client secret. Enter it.'],
    [{ scopes: 'email' }, 'The scopes must contain “openid”.'],
    [{ group_map: { staff: 999_999 } }, 'Invalid user group'],
    [{ group_map: { staff: 'everybody' } }, 'group_map["staff"] is not an integer'],
    [{ role_map: { staff: 150 } }, "Bad value for 'role_map': 150"],
  ])('is refused as a whole: %j', async (changes, msg) => {
    const { body, status } = await add(changes)
    expect({ status, msg: body.msg }).toEqual({ status: 400, msg })
    expect(await list()).toEqual([])
  })

  it('has a name in addresses of its own, and an organization has at most ten', async () => {
    expectSuccess(await add())
    expectRefusal(await add(), 'A provider with this name in addresses already exists.')
    for (let more = 2; more <= 10; more += 1) expectSuccess(await add({ slug: `work-${more}` }))
    expectRefusal(await add({ slug: 'one-more' }), 'An organization can have 10 log-in providers.')
  })

  it('gives the groups and roles that its maps name, owner too', async () => {
    const group = { name: 'Staff', description: '', members: [] }
    const { group_id } = expectSuccess(await owner.api.post('/user_groups/create', group))
    const maps = { group_map: { 'team/α': group_id }, role_map: { boss: 100, temp: 600 } }
    const { id } = expectSuccess(await add(maps))
    expect(await list()).toMatchObject([maps])
    const snapshot = (await openQueue(owner)).snapshot
    const system = snapshot.realm_user_groups.find((each: Json) => each.is_system_group)
    expectRefusal(await change(id, { group_map: { all: system.id } }), 'Invalid user group')
  })

  it('is in the audit log, without what a user wrote', async () => {
    const { id } = expectSuccess(await add())
    expectSuccess(await change(id, { display_name: 'Acme', is_enabled: false }))
    expectSuccess(await owner.api.delete(`/login_providers/${id}`))
    const { entries } = expectSuccess(await owner.api.get('/audit_log', { action: 'organization_changed' }))
    expect(entries.map(({ details }: Json) => details)).toEqual([
      { login_providers: 'removed', login_provider_id: id },
      { login_providers: 'changed', login_provider_id: id, display_name: 'changed', is_enabled: false },
      expect.objectContaining({ login_providers: 'added', login_provider_id: id, client_secret: 'changed' }),
    ])
  })

  it('sends its secret to no other address than that which it was entered for', async () => {
    const { id } = expectSuccess(await add())
    const [before] = await list()
    const issuer = 'https://other.example.com'
    const refusal =
      'Enter the client secret too: the present one is sent only to the address that it was entered for.'
    for (const more of [{}, { token_auth: 'post' }, { client_id: 'another' }]) {
      expectRefusal(await change(id, { issuer, ...more }), refusal)
    }
    expect(await list()).toEqual([before])
    const moved = expectSuccess(await change(id, { issuer, client_secret: '', token_auth: 'none' }))
    expect(moved).toMatchObject({ issuer, has_secret: false })
    expectSuccess(await change(id, { issuer: GOOD.issuer }))
    expectSuccess(await change(id, { client_secret: 'a secret', token_auth: 'basic' }))
    expect(expectSuccess(await change(id, { issuer, client_secret: 'its own' }))).toMatchObject({ issuer })
  })

  it('forgets who people are when it becomes another one', async () => {
    const { id } = expectSuccess(await add())
    await connect(id, owner)
    expectSuccess(await change(id, { display_name: 'Acme' }))
    expect(await identities()).toHaveLength(1)
    expectSuccess(await change(id, { issuer: 'https://other.example.com', client_secret: 'a new secret' }))
    expect(await identities()).toEqual([])
  })
})

describe('the ways to log in', () => {
  it('have OpenID Connect and GitHub while there is a provider, as everybody learns', async () => {
    expect(await methods()).toEqual({ Email: ON, ...OFF })
    const queue = await openQueue(await buildUser(realm, { role: 600 }))
    const { id } = expectSuccess(await add())
    const github = expectSuccess(await add({ slug: 'github', preset: 'github', issuer: '' }))
    expect(await methods()).toEqual({ Email: ON, 'OpenID Connect': ON, GitHub: ON })
    expectSuccess(await add({ slug: 'second' }))
    expectSuccess(await change(github.id, { is_enabled: false }))
    expectSuccess(await change(id, { is_enabled: false }))
    const events = await queue.eventsOf('realm')
    expect(events.map(({ data }: Json) => data.authentication_methods)).toEqual([
      { Email: ON, 'OpenID Connect': ON, GitHub: OFF.GitHub },
      { Email: ON, 'OpenID Connect': ON, GitHub: ON },
      { Email: ON, 'OpenID Connect': ON, GitHub: OFF.GitHub },
    ])
  })

  it('are shown before the log-in, without disabled ones', async () => {
    expect((await settings()).external_authentication_methods).toEqual([])
    expectSuccess(await add({ icon_url: 'https://example.com/work.png', display_name: 'Acme' }))
    expectSuccess(await add({ slug: 'github', preset: 'github', issuer: '' }))
    expectSuccess(await add({ slug: 'off', is_enabled: false }))
    const shown = await settings()
    expect(shown.external_authentication_methods).toEqual([
      {
        name: 'oidc:work',
        display_name: 'Acme',
        display_icon: 'https://example.com/work.png',
        login_url: '/accounts/login/social/work',
        signup_url: '/accounts/register/social/work',
      },
      expect.objectContaining({ name: 'oidc:github', display_icon: null }),
    ])
    expect(shown.authentication_methods).toMatchObject({
      'openid connect': true,
      github: true,
      google: false,
    })
    expectSuccess(await owner.api.patch('/realm', { authentication_methods: { Email: true, GitHub: false } }))
    const after = await settings()
    expect(after.external_authentication_methods).toHaveLength(1)
    expect(after.authentication_methods).toMatchObject({ 'openid connect': true, github: false, email: true })
  })

  it('stay as they are if a change does not name them', async () => {
    expectSuccess(await add())
    expectSuccess(await owner.api.patch('/realm', { authentication_methods: { 'OpenID Connect': true } }))
    expect(await methods()).toMatchObject({ Email: ON, 'OpenID Connect': ON })
  })

  it('always leave one that is on', async () => {
    const one = 'At least one authentication method must be enabled.'
    const turn = (authentication_methods: object) =>
      owner.api.patch('/realm', { authentication_methods: { ...authentication_methods } })
    for (const others of [{}, { LDAP: true }, { 'OpenID Connect': true }, { RemoteUser: true }]) {
      expectRefusal(await turn({ Email: false, ...others }), one)
    }
    const { id } = expectSuccess(await add())
    expectRefusal(await turn({ Email: false, GitHub: true, 'OpenID Connect': false }), one)
    await connect(id, owner)
    // The others need not be named.
    expectSuccess(await turn({ Email: false }))
    expectRefusal(await turn({ 'OpenID Connect': false }), one)
    expectRefusal(await owner.api.delete(`/login_providers/${id}`), one)
    expectRefusal(await change(id, { is_enabled: false }), one)
    expect(await methods()).toMatchObject({ Email: { enabled: false }, 'OpenID Connect': ON })
  })

  it('lock no owner out who turns off passwords or a provider', async () => {
    const locked =
      'Log in once with a provider that stays on before you turn off logging in by password, so that you are not locked out.'
    const [first, second] = [expectSuccess(await add()), expectSuccess(await add({ slug: 'second' }))]
    const onlySso = { authentication_methods: { Email: false, 'OpenID Connect': true } }
    expectRefusal(await owner.api.patch('/realm', onlySso), locked)
    await connect(first.id, admin)
    expectRefusal(await owner.api.patch('/realm', onlySso), locked)
    // A passkey stands for the password.
    await addPasskey(owner, realm.host)
    expectRefusal(await owner.api.patch('/realm', onlySso), locked)
    await connect(first.id, owner)
    expectSuccess(await owner.api.patch('/realm', onlySso))
    expectRefusal(await owner.api.delete(`/login_providers/${first.id}`), locked)
    expectRefusal(await change(first.id, { is_enabled: false }), locked)
    const elsewhere = { issuer: 'https://other.example.com', client_secret: 'a new secret' }
    expectRefusal(await change(first.id, elsewhere), locked)
    expect(await identities()).toHaveLength(2)
    expectSuccess(await change(second.id, { is_enabled: false }))
    expectSuccess(await change(first.id, { client_secret: 'a newer secret' }))
  })
})
