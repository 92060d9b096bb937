import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { buildUser, expectSuccess } from '../../support/factories.ts'
import { userSchema } from '../../support/inside-declarations.ts'
import { openQueue } from '../../support/queues.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, member, guest } = useRealm({ member: { name: 'Maya Member' }, guest: 'guest' })

describe('getting a user', () => {
  it('returns the documented user object', async () => {
    const { user } = expectSuccess(await guest.api.get(`/users/${member.id}`))
    v.parse(userSchema, user)
    expect(user).toMatchObject({
      user_id: member.id,
      email: member.email,
      delivery_email: member.email,
      full_name: 'Maya Member',
      role: 400,
      is_active: true,
      is_admin: false,
      is_owner: false,
      is_guest: false,
      is_bot: false,
      is_imported_stub: false,
      bot_type: null,
      bot_owner_id: null,
      timezone: '',
      avatar_url: null,
      avatar_version: 1,
    })
    expect(user.date_joined).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d\+00:00$/)
    expect(user).not.toHaveProperty('profile_data')
  })

  it('says that no user is imported, in lists, snapshots and events too', async () => {
    const queue = await openQueue(member)
    const fresh = await buildUser(realm)
    const { members } = expectSuccess(await guest.api.get('/users'))
    const { realm_users, cross_realm_bots } = queue.snapshot
    const added = (await queue.eventsOf('realm_user', 'add')).map(({ person }) => person)
    expect(added.map(({ user_id }) => user_id)).toEqual([fresh.id])
    for (const users of [members, realm_users, cross_realm_bots, added]) {
      expect(
        new Set(users.map(({ is_imported_stub }: { is_imported_stub: boolean }) => is_imported_stub)),
      ).toEqual(new Set([false]))
    }
  })

  it('includes avatar and profile when asked for', async () => {
    const { user } = expectSuccess(
      await member.api.get(`/users/${guest.id}`, {
        client_gravatar: false,
        include_custom_profile_fields: true,
      }),
    )
    expect(user.avatar_url).toMatch(/^https:\/\/secure\.gravatar\.com\/avatar\//)
    expect(user.profile_data).toEqual({})
  })

  it('finds deactivated accounts, but neither unknown ids nor system bots', async () => {
    const closed = await buildUser(realm)
    expectSuccess(await realm.owner.api.delete(`/users/${closed.id}`))
    expect(expectSuccess(await guest.api.get(`/users/${closed.id}`)).user.is_active).toBe(false)
    const { cross_realm_bots } = expectSuccess(
      await member.api.post('/register', { fetch_event_types: ['realm_user'] }),
    )
    for (const id of [99_999, cross_realm_bots[0].user_id]) {
      expect((await member.api.get(`/users/${id}`)).body).toMatchObject({
        code: 'BAD_REQUEST',
        msg: 'No such user',
      })
    }
    expect((await member.api.get(`/users/${cross_realm_bots[0].email}`)).body.msg).toBe('No such user')
  })

  it('needs credentials', async () => {
    for (const path of [`/users/${member.id}`, `/users/${member.email}`, '/users', '/users/me']) {
      const response = await realm.anonymous.get(path)
      expect(response.status).toBe(401)
      expect(response.body.code).toBe('UNAUTHORIZED')
    }
  })
})

describe('getting a user by address', () => {
  it('accepts the real address, in any case, and the one for everybody', async () => {
    for (const address of [member.email, member.email.toUpperCase(), `user${member.id}@${realm.host}`]) {
      const { user } = expectSuccess(await guest.api.get(`/users/${encodeURIComponent(address)}`))
      expect(user.user_id).toBe(member.id)
    }
  })

  it('does not find unknown addresses', async () => {
    expect((await member.api.get(`/users/nobody@${realm.host}`)).body.msg).toBe('No such user')
    expect((await member.api.get(`/users/user99999@${realm.host}`)).body.msg).toBe('No such user')
    expect((await member.api.get('/users/anything')).body.msg).toBe('No such user')
  })
})

describe('listing users', () => {
  it('returns all, deactivated ones included, without system bots, by id', async () => {
    const { members } = expectSuccess(await guest.api.get('/users'))
    const ids = members.map((one: { user_id: number }) => one.user_id)
    expect(ids).toEqual([...ids].sort((a: number, b: number) => a - b))
    expect(ids).toEqual(expect.arrayContaining([realm.owner.id, member.id, guest.id]))
    expect(members.some((one: { is_bot: boolean }) => one.is_bot)).toBe(false)
    expect(members.some((one: { is_active: boolean }) => !one.is_active)).toBe(true)
    v.parse(v.array(userSchema), members)
  })

  it('returns those with given ids, without unknown ones', async () => {
    const { members } = expectSuccess(
      await member.api.get('/users', { user_ids: [guest.id, member.id, 99_999] }),
    )
    expect(members.map((one: { user_id: number }) => one.user_id)).toEqual([member.id, guest.id])
  })
})

describe('getting oneself', () => {
  it('returns one’s account and the newest message received', async () => {
    const own = expectSuccess(await member.api.get('/users/me'))
    v.parse(userSchema, own)
    expect(own).toMatchObject({ user_id: member.id, email: member.email, profile_data: {} })
    const { messages } = expectSuccess(
      await member.api.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 }),
    )
    expect(own.max_message_id).toBe(messages[0].id)
    const { max_message_id } = expectSuccess(await realm.owner.api.get('/users/me'))
    expect(max_message_id).toBe(-1)
  })
})
