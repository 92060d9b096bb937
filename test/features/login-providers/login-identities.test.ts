import { describe, expect, it } from 'vitest'
import { addPasskey } from '../../support/add-passkey.ts'
import { expectSuccess, type TestUser } from '../../support/factories.ts'
import { changeRealm } from '../../support/inside.ts'
import type { Json } from '../../support/json.ts'
import { addLoginProvider, connectTo } from '../../support/login-identities.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { useRealmPerTest } from '../../support/use-realm.ts'

const { realm, owner, ann, bob } = useRealmPerTest({ ann: 'member', bob: 'guest' })

const addProvider = (slug: string) => addLoginProvider(realm, slug)
const connect = (provider: number, user: TestUser) => connectTo(realm, provider, user)
const listed = async (user: TestUser): Promise<Json[]> =>
  expectSuccess(await user.api.get('/login_identities')).login_identities
const setPassword = (user: TestUser, hash: string | null) =>
  changeRealm(realm, ({ sql }) => {
    sql.run(`UPDATE user SET password_hash = ? WHERE id = ?`, hash, user.id)
  })

const ONLY_WAY =
  'This is your only way to log in. Set a password, add a passkey or connect another account first.'

describe('connected accounts', () => {
  it('are the providers that are on, and whether each knows the account', async () => {
    const work = await addProvider('work')
    await addProvider('home')
    await connect(work, ann)
    expect(await listed(ann)).toEqual([
      {
        id: expect.any(Number),
        provider_slug: 'work',
        display_name: 'work',
        icon_url: null,
        connected_at: 7,
      },
      { id: null, provider_slug: 'home', display_name: 'home', icon_url: null, connected_at: null },
    ])
    expect((await listed(bob)).map(({ id }) => id)).toEqual([null, null])
    expectSuccess(await owner.api.patch(`/login_providers/${work}`, { is_enabled: false }))
    expect((await listed(ann)).map(({ provider_slug }) => provider_slug)).toEqual(['work', 'home'])
    expect((await listed(bob)).map(({ provider_slug }) => provider_slug)).toEqual(['home'])
  })

  it('are ended by their own account alone', async () => {
    await connect(await addProvider('work'), ann)
    await setPassword(ann, 'a hash')
    const id = (await listed(ann))[0]!.id as number
    for (const other of [bob, owner]) {
      expectRefusal(await other.api.delete(`/login_identities/${id}`), 'Invalid connected account', {
        status: 404,
      })
    }
    expectSuccess(await ann.api.delete(`/login_identities/${id}`))
    expect((await listed(ann))[0]!.id).toBeNull()
    expectRefusal(await ann.api.delete(`/login_identities/${id}`), 'Invalid connected account', {
      status: 404,
    })
    const { entries } = expectSuccess(await owner.api.get('/audit_log', { action: 'settings_changed' }))
    expect(entries[0]).toMatchObject({
      actor_id: ann.id,
      details: { user_id: ann.id, login_identity_id: id },
    })
  })

  it('stay if there is no other way to log in', async () => {
    const [work, home] = [await addProvider('work'), await addProvider('home')]
    await connect(work, ann)
    await setPassword(ann, null)
    const path = `/login_identities/${(await listed(ann))[0]!.id}`
    expectRefusal(await ann.api.delete(path), ONLY_WAY)
    await connect(home, ann)
    expectSuccess(await owner.api.patch(`/login_providers/${home}`, { is_enabled: false }))
    expectRefusal(await ann.api.delete(path), ONLY_WAY)
    expectSuccess(await owner.api.patch(`/login_providers/${home}`, { is_enabled: true }))
    expectSuccess(await ann.api.delete(path))
  })

  it('can be removed if a passkey is another way in, which then stays', async () => {
    const work = await addProvider('work')
    await connect(work, ann)
    await connect(work, owner)
    await setPassword(ann, null)
    const passkey = await addPasskey(ann, realm.host)
    const [identity, key] = [
      `/login_identities/${(await listed(ann))[0]!.id}`,
      `/second_factors/passkeys/${passkey}`,
    ]
    const turn = (Email: boolean) =>
      owner.api.patch('/realm', { authentication_methods: { Email, 'OpenID Connect': true } })
    expectSuccess(await turn(false))
    expectRefusal(await ann.api.delete(identity), ONLY_WAY)
    expectSuccess(await turn(true))
    const knowsItsOwner = (is_verified: number) =>
      changeRealm(realm, ({ sql }) => {
        sql.run(`UPDATE passkey SET is_verified = ? WHERE id = ?`, is_verified, passkey)
      })
    await knowsItsOwner(0)
    expectRefusal(await ann.api.delete(identity), ONLY_WAY)
    await knowsItsOwner(1)
    expectSuccess(await ann.api.delete(identity))
    expectRefusal(await ann.api.delete(key), ONLY_WAY)
    await setPassword(ann, 'a hash')
    expectSuccess(await ann.api.delete(key))
  })

  it('stay where a password opens nothing', async () => {
    const work = await addProvider('work')
    await connect(work, ann)
    await connect(work, owner)
    await setPassword(ann, 'a hash')
    const only = { authentication_methods: { Email: false, 'OpenID Connect': true } }
    expectSuccess(await owner.api.patch('/realm', only))
    const path = `/login_identities/${(await listed(ann))[0]!.id}`
    expectRefusal(await ann.api.delete(path), ONLY_WAY)
    expectSuccess(await owner.api.patch('/realm', { authentication_methods: { Email: true } }))
    expectSuccess(await ann.api.delete(path))
  })
})
