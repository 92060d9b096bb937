import { describe, expect, it } from 'vitest'
import { buildUser, expectSuccess } from '../../support/factories.ts'
import { openQueue } from '../../support/queues.ts'
import { buildRealm, useRealm } from '../../support/use-realm.ts'

const { realm } = useRealm()

let addresses = 0
const account = (changes: Record<string, string> = {}) => {
  addresses += 1
  return {
    email: `new-${addresses}@example.com`,
    full_name: 'Nina New',
    password: 'a fine password',
    ...changes,
  }
}
const create = (changes: Record<string, string> = {}) => realm.owner.api.post('/users', account(changes))

describe('creating a user', () => {
  it('makes a member of the default channels who can log in', async () => {
    const { user_id } = expectSuccess(await create({ email: 'nina@example.com' }))
    const { user } = expectSuccess(await realm.owner.api.get(`/users/${user_id}`))
    expect(user).toMatchObject({
      role: 400,
      full_name: 'Nina New',
      email: 'nina@example.com',
      is_active: true,
    })
    const login = { username: 'nina@example.com', password: 'a fine password' }
    expect(expectSuccess(await realm.anonymous.post('/fetch_api_key', login)).user_id).toBe(user_id)
  })

  it('notifies everybody of the user, the groups and the channels, in this order', async () => {
    const guest = await buildUser(realm, { role: 600 })
    const queues = [await openQueue(realm.owner), await openQueue(guest)]
    const { user_id } = expectSuccess(await create())
    for (const queue of queues) {
      const events = await queue.events()
      expect(events.slice(0, 3)).toMatchObject([
        {
          type: 'realm_user',
          op: 'add',
          person: { user_id, is_active: true, profile_data: {}, avatar_url: null },
        },
        { type: 'user_group', op: 'add_members', group_id: 6, user_ids: [user_id] },
        { type: 'user_group', op: 'add_members', group_id: 5, user_ids: [user_id] },
      ])
      const joined = events.filter(({ type, op }) => type === 'subscription' && op === 'peer_add')
      expect(new Set(joined.flatMap(({ stream_ids }) => stream_ids)).size).toBe(3)
    }
  })

  it('announces the user in the chosen channel, and greets with the organization’s text', async () => {
    const { realm: own, channel } = await buildRealm({}, { channels: { channel: ['owner'] } })
    expectSuccess(
      await own.owner.api.patch('/realm', {
        signup_announcements_stream_id: channel.id,
        welcome_message_custom_text: 'Welcome to **us**!',
      }),
    )
    const queue = await openQueue(own.owner)
    const user = await buildUser(own, { name: 'Nina New' })
    const [notice] = await queue.eventsOf('message')
    expect(notice!.message).toMatchObject({
      stream_id: channel.id,
      subject: 'signups',
      sender_full_name: 'Notification Bot',
    })
    expect(notice!.message.content).toContain(`data-user-id="${user.id}"`)
    const { snapshot } = await openQueue(user)
    expect(snapshot.unread_msgs.pms).toHaveLength(1)
    expect(snapshot.recent_private_conversations).toHaveLength(1)
  })

  it('checks the name, then the address, then the password', async () => {
    for (const [changes, msg] of [
      [{ full_name: 'x', email: 'bad', password: 'x' }, 'Name too short!'],
      [{ full_name: 'x'.repeat(101) }, 'Name too long!'],
      [{ full_name: 'Nina > New' }, 'Invalid characters in name!'],
      [{ full_name: 'Nina|12' }, 'Invalid format!'],
      [{ email: 'bad', password: 'x' }, 'Bad name or username'],
      [{ email: realm.owner.email.toUpperCase(), password: 'x' }, 'Email is already in use.'],
      [{ password: 'short' }, 'The password is too weak.'],
      [{ password: 'x'.repeat(101) }, 'The password is too weak.'],
    ] as const) {
      expect((await create(changes)).body).toEqual({ result: 'error', code: 'BAD_REQUEST', msg })
    }
  })

  it('counts the address of a closed account as taken', async () => {
    const user = await buildUser(realm)
    expectSuccess(await realm.owner.api.delete(`/users/${user.id}`))
    expect((await create({ email: user.email })).body.msg).toBe('Email is already in use.')
  })

  it('requires all three, in the documented order', async () => {
    const { api } = realm.owner
    expect((await api.post('/users', {})).body).toMatchObject({
      code: 'REQUEST_VARIABLE_MISSING',
      var_name: 'email',
    })
    expect((await api.post('/users', { email: 'x' })).body.var_name).toBe('password')
    expect((await api.post('/users', { email: 'x', password: 'y' })).body.var_name).toBe('full_name')
  })

  it('is for administrators who have the right', async () => {
    const admin = await buildUser(realm, { role: 200 })
    const moderator = await buildUser(realm, { role: 300 })
    const guest = await buildUser(realm, { role: 600 })
    for (const user of [moderator, guest]) {
      expect((await user.api.post('/users', {})).body).toMatchObject({
        code: 'UNAUTHORIZED_PRINCIPAL',
        msg: 'Must be an organization administrator',
      })
    }
    expect((await admin.api.post('/users', account())).body).toEqual({
      result: 'error',
      code: 'BAD_REQUEST',
      msg: 'User not authorized to create users',
    })
    expect((await realm.anonymous.post('/users', account())).status).toBe(401)
  })
})
