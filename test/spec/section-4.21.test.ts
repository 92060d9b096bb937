import { beforeAll, describe, expect, it } from 'vitest'
import { buildUser, expectSuccess, type TestUser } from '../support/factories.ts'
import { useRealm } from '../support/use-realm.ts'

const { realm, ann, hidden, guest } = useRealm({
  ann: 'member',
  hidden: 'member',
  guest: { role: 'guest', name: 'Gus' },
})
beforeAll(async () => {
  expectSuccess(await hidden.api.patch('/settings', { email_address_visibility: 3 }))
})

async function read(viewer: TestUser, who: string | number, params = {}) {
  return expectSuccess(await viewer.api.get(`/users/${who}`, params)).user
}

describe('4.21 Get a user', () => {
  it('2.5 the record has these fields', async () => {
    expect(await read(ann, guest.id)).toEqual({
      user_id: guest.id,
      delivery_email: guest.email,
      email: guest.email,
      full_name: 'Gus',
      date_joined: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d\+00:00$/),
      is_active: true,
      is_owner: false,
      is_admin: false,
      is_guest: true,
      is_bot: false,
      // Beyond the document: a later level added it.
      is_imported_stub: false,
      bot_type: null,
      bot_owner_id: null,
      role: 600,
      timezone: '',
      avatar_url: null,
      avatar_version: 1,
    })
  })

  it('2.5 an owner is an administrator too', async () => {
    expect(await read(ann, realm.owner.id)).toMatchObject({ is_owner: true, is_admin: true, role: 100 })
  })

  it('2.5 delivery_email is null, and email a dummy, without access to the real one', async () => {
    expect(await read(ann, hidden.id)).toMatchObject({
      delivery_email: null,
      email: `user${hidden.id}@${realm.host}`,
    })
    expect(await read(realm.owner, hidden.id)).toMatchObject({ delivery_email: hidden.email })
  })

  it('2.5 avatar_url is null only with client_gravatar and a visible address', async () => {
    expect((await read(ann, guest.id, { client_gravatar: true })).avatar_url).toBeNull()
    expect((await read(ann, guest.id, { client_gravatar: false })).avatar_url).toContain('http')
    expect((await read(ann, hidden.id, { client_gravatar: true })).avatar_url).toContain('http')
  })

  it('2.5 profile_data is there only when it is asked for', async () => {
    expect(await read(ann, guest.id)).not.toHaveProperty('profile_data')
    expect(await read(ann, guest.id, { include_custom_profile_fields: true })).toHaveProperty(
      'profile_data',
      {},
    )
  })

  it('2.5 is_active is false for a deactivated user', async () => {
    const dan = await buildUser(realm, { name: 'Dan' })
    expectSuccess(await realm.owner.api.delete(`/users/${dan.id}`))
    expect(await read(ann, dan.id)).toMatchObject({ is_active: false })
  })

  it('an unknown id: BAD_REQUEST', async () => {
    const { status, body } = await ann.api.get('/users/987654')
    expect([status, body.code, body.msg]).toEqual([400, 'BAD_REQUEST', 'No such user'])
  })

  it('refuses callers without credentials', async () => {
    expect((await realm.anonymous.get(`/users/${ann.id}`)).status).toBe(401)
  })
})

describe('4.22 Get a user by email', () => {
  it('by the real address, where the target’s visibility permits it', async () => {
    expect((await read(ann, guest.email)).user_id).toBe(guest.id)
    expect((await read(realm.owner, hidden.email)).user_id).toBe(hidden.id)
    expect((await ann.api.get(`/users/${hidden.email}`)).body).toMatchObject({
      code: 'BAD_REQUEST',
      msg: 'No such user',
    })
  })

  it('one’s own address is always found', async () => {
    expect((await read(hidden, hidden.email)).user_id).toBe(hidden.id)
  })

  it('by the dummy address, for all users', async () => {
    expect((await read(ann, `user${hidden.id}@${realm.host}`)).user_id).toBe(hidden.id)
    expect((await read(ann, `user${guest.id}@${realm.host}`)).user_id).toBe(guest.id)
  })

  it('whatever the case of the letters', async () => {
    expect((await read(ann, guest.email.toUpperCase())).user_id).toBe(guest.id)
  })

  it.each([
    [1, [true, true, true, true]],
    [2, [true, true, true, false]],
    [5, [true, true, false, false]],
    [3, [true, false, false, false]],
    [4, [false, false, false, false]],
  ])(
    'email_address_visibility %i: found by administrator, moderator, member, guest: %j',
    async (level, found) => {
      const moderator = await buildUser(realm, { role: 300 })
      const target = await buildUser(realm)
      expectSuccess(await target.api.patch('/settings', { email_address_visibility: level }))
      const viewers = [realm.owner, moderator, ann, guest]
      const answers = await Promise.all(viewers.map((viewer) => viewer.api.get(`/users/${target.email}`)))
      expect(answers.map(({ status }) => status === 200)).toEqual(found)
    },
  )
})
