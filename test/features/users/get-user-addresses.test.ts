import { beforeAll, describe, expect, it } from 'vitest'
import { buildUser, createRealm, expectSuccess, type TestUser } from '../../support/factories.ts'
import { useRealm } from '../../support/use-realm.ts'

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

describe('the record of a user', () => {
  it('has exactly these fields', async () => {
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

  it('has a substitute address for those who may not see the real one', async () => {
    expect(await read(ann, hidden.id)).toMatchObject({
      delivery_email: null,
      email: `user${hidden.id}@${realm.host}`,
    })
    expect(await read(realm.owner, hidden.id)).toMatchObject({ delivery_email: hidden.email })
  })
})

describe('finding a user by address', () => {
  it('works with a substitute that has the host and port of the URL', async () => {
    expect((await read(ann, `user${hidden.id}@${realm.host}:8443`)).user_id).toBe(hidden.id)
    expect((await ann.api.get(`/users/user${hidden.id}@elsewhere.test:8443`)).body.msg).toBe('No such user')
    const { owner } = await createRealm({ host: 'localhost', ownerEmail: 'owner@example.test' })
    for (const host of ['localhost', '127.0.0.1', '127.0.0.1:8787', 'LOCALHOST:8787', '[::1]:8787']) {
      expect((await read(owner, `user${owner.id}@${host}`)).user_id).toBe(owner.id)
    }
  })

  it('works with the real one for those who may see it', async () => {
    expect((await read(ann, guest.email)).user_id).toBe(guest.id)
    expect((await read(realm.owner, hidden.email)).user_id).toBe(hidden.id)
    expect((await ann.api.get(`/users/${hidden.email}`)).body).toMatchObject({
      code: 'BAD_REQUEST',
      msg: 'No such user',
    })
  })

  it.each([
    [1, [true, true, true, true]],
    [2, [true, true, true, false]],
    [5, [true, true, false, false]],
    [3, [true, false, false, false]],
    [4, [false, false, false, false]],
  ])('under visibility %i works for administrator, moderator, member, guest: %j', async (level, found) => {
    const moderator = await buildUser(realm, { role: 300 })
    const target = await buildUser(realm)
    expectSuccess(await target.api.patch('/settings', { email_address_visibility: level }))
    const viewers = [realm.owner, moderator, ann, guest]
    const answers = await Promise.all(viewers.map((viewer) => viewer.api.get(`/users/${target.email}`)))
    expect(answers.map(({ status }) => status === 200)).toEqual(found)
  })
})
