import { describe, expect, it } from 'vitest'
import {
  atLevel,
  buildChannel,
  buildUser,
  createBot,
  expectSuccess,
  reopen,
  type TestUser,
} from '../../support/factories.ts'
import { untilWaiting } from '../../support/held-polls.ts'
import { mailsTo } from '../../support/pages.ts'
import { openQueue, type TestQueue } from '../../support/queues.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { buildRealm, useRealmPerTest } from '../../support/use-realm.ts'

const { realm, ann, ben, member } = useRealmPerTest({ ann: 'member', ben: 'member', member: 'member' })

async function generalId(user: TestUser): Promise<number> {
  const { subscriptions } = expectSuccess(
    await user.api.post('/register', { fetch_event_types: ['subscription'] }),
  )
  return subscriptions.find((one: { name: string }) => one.name === 'general').stream_id
}

async function namesOf(queue: TestQueue): Promise<string[]> {
  return (await queue.events()).map(({ type, op }) => (op === undefined ? type : `${type}/${op}`))
}

describe('deactivating a user', () => {
  it('notifies everybody, and the peers in all public channels at once', async () => {
    const watcher = await openQueue(await buildUser(realm))
    const general = await generalId(member)
    expectSuccess(await realm.owner.api.delete(`/users/${member.id}`))
    const events = await watcher.events()
    expect(events[0]).toMatchObject({
      type: 'realm_user',
      op: 'update',
      person: { user_id: member.id, is_active: false },
    })
    expect(events.filter(({ type }) => type === 'realm_user')).toHaveLength(1)
    const [left, ...others] = events.filter(({ type, op }) => type === 'subscription' && op === 'peer_remove')
    expect(others).toEqual([])
    expect(left!.stream_ids).toHaveLength(3)
    expect(left!.stream_ids).toContain(general)
    expect(left!.stream_ids).toEqual(left!.stream_ids.toSorted((a: number, b: number) => a - b))
    expect(left!.user_ids).toEqual([member.id])
  })

  it('notifies the peers in archived channels too', async () => {
    const [leaving, peer] = [await buildUser(realm), await buildUser(realm)]
    const { id } = await buildChannel([peer, leaving])
    expectSuccess(await peer.api.delete(`/streams/${id}`))
    const queue = await openQueue(peer)
    expectSuccess(await realm.owner.api.delete(`/users/${leaving.id}`))
    const gone = await queue.eventsOf('subscription', 'peer_remove')
    expect(gone.flatMap(({ stream_ids }) => stream_ids)).toContain(id)
  })

  it('ends its queues and waiting polls, and refuses its key', async () => {
    const queue = await openQueue(member)
    const poll = member.api.get('/events', { queue_id: queue.id, last_event_id: queue.lastEventId })
    await untilWaiting(realm, queue)
    expectSuccess(await realm.owner.api.delete(`/users/${member.id}`))
    expect((await poll).body).toMatchObject({ result: 'success', events: [] })
    const refused = await member.api.get('/events', { queue_id: queue.id, last_event_id: -1 })
    expect(refused.status).toBe(401)
    expect(refused.body).toMatchObject({ code: 'UNAUTHORIZED', msg: 'Account is deactivated' })
  })

  it('removes the account from groups, and from active users in new snapshots', async () => {
    expectSuccess(await realm.owner.api.delete(`/users/${member.id}`))
    const { snapshot } = await openQueue(realm.owner)
    const ids = (users: { user_id: number }[]) => users.map(({ user_id }) => user_id)
    expect(ids(snapshot.realm_users)).not.toContain(member.id)
    expect(ids(snapshot.realm_non_active_users)).toContain(member.id)
    for (const group of snapshot.realm_user_groups) expect(group.members).not.toContain(member.id)
  })

  it('revokes the user’s invitations', async () => {
    expectSuccess(
      await member.api.post('/invites', {
        invitee_emails: 'guest@example.com',
        stream_ids: [],
        invite_as: 400,
      }),
    )
    const queue = await openQueue(realm.owner)
    expectSuccess(await realm.owner.api.delete(`/users/${member.id}`))
    expect(await queue.eventsOf('invites_changed')).toHaveLength(1)
    expect(expectSuccess(await realm.owner.api.get('/invites')).invites).toEqual([])
  })

  it('is mailed to them when asked for, with the comment', async () => {
    const close = async (comment: string | undefined) => {
      const { id, email } = await buildUser(realm)
      const path = `/users/${id}`
      expectSuccess(await realm.owner.api.delete(path, { deactivation_notification_comment: comment }))
      return (await mailsTo(realm.host, email)).filter(({ subject }) => subject.includes('deactivated'))
    }
    expect(await close(undefined)).toEqual([])
    const [bare] = await close('')
    expect(bare!.body).toContain(`${realm.owner.fullName} has deactivated your account`)
    expect(bare!.body).not.toContain('writes:')
    const [kind] = await close(' Farewell!\nCome again. ')
    expect(kind!.body).toContain('writes:\n&#62; Farewell!\n&#62; Come again.')
    const long = { deactivation_notification_comment: 'x'.repeat(2_001) }
    expectRefusal(
      await realm.owner.api.delete(`/users/${member.id}`, long),
      'deactivation_notification_comment is too long (limit: 2000 characters)',
    )
  })

  it('is for administrators, and for owners’ accounts for owners', async () => {
    const admin = await buildUser(realm, { role: 200 })
    const guest = await buildUser(realm, { role: 600 })
    for (const user of [member, guest]) {
      expect((await user.api.delete(`/users/${admin.id}`)).body).toMatchObject({
        code: 'BAD_REQUEST',
        msg: 'Insufficient permission',
      })
    }
    expect((await realm.anonymous.delete(`/users/${member.id}`)).status).toBe(401)
    expect((await admin.api.delete(`/users/${realm.owner.id}`)).body).toMatchObject({
      code: 'UNAUTHORIZED_PRINCIPAL',
      msg: 'Must be an organization owner',
    })
    expect((await realm.owner.api.delete(`/users/${realm.owner.id}`)).body.msg).toBe(
      'Cannot deactivate the only organization owner',
    )
    expect((await admin.api.delete('/users/99999')).body.msg).toBe('No such user')
    const { owner: stranger } = await buildRealm()
    expect((await stranger.api.delete(`/users/${guest.id}`)).body.msg).toBe('No such user')
    expectSuccess(await admin.api.delete(`/users/${member.id}`))
  })

  it('ends memberships of groups until reactivation, without events about groups', async () => {
    const dan = await buildUser(realm)
    const params = { name: 'of Dan', description: '', members: [dan.id, ann.id] }
    const { group_id } = expectSuccess(await ann.api.post('/user_groups/create', params))
    const queue = await openQueue(ben)
    expectSuccess(await realm.owner.api.delete(`/users/${dan.id}`))
    const names = await namesOf(queue)
    expect(names).toContain('realm_user/update')
    expect(names.filter((name) => name.startsWith('user_group'))).toEqual([])
    const members = async () =>
      expectSuccess(await ann.api.get(`/user_groups/${group_id}/members`)).members as number[]
    expect(await members()).toEqual([ann.id])
    expectSuccess(await realm.owner.api.post(`/users/${dan.id}/reactivate`))
    expect((await members()).toSorted()).toEqual([ann.id, dan.id].toSorted())
  })
})

describe('reactivating a user', () => {
  it('notifies everybody and brings the subscriptions back', async () => {
    expectSuccess(await realm.owner.api.delete(`/users/${member.id}`))
    const watcher = await openQueue(realm.owner)
    const reopened = await reopen(realm, member)
    const events = await watcher.events()
    expect(events[0]).toMatchObject({
      type: 'realm_user',
      op: 'update',
      person: { user_id: member.id, is_active: true },
    })
    expect(events.filter(({ op }) => op === 'peer_add').map(({ stream_ids }) => stream_ids.length)).toEqual([
      3,
    ])
    const { snapshot } = await openQueue(reopened)
    expect(snapshot.subscriptions).toHaveLength(3)
  })

  it('gives it a new key, and a bot too, which its owner hears of', async () => {
    const bot = await createBot(realm.owner, 'Reopened')
    const watcher = await openQueue(atLevel(realm.owner, 473))
    for (const account of [member, bot]) {
      expectSuccess(await realm.owner.api.delete(`/${account === bot ? 'bots' : 'users'}/${account.id}`))
      const before = atLevel(account, 500)
      const reopened = await reopen(realm, account)
      expect((await before.api.get('/users/me')).body.msg).toBe('Invalid API key')
      expectSuccess(await reopened.api.get('/users/me'))
      const keys = (await watcher.eventsOf('realm_bot', 'update')).flatMap(
        ({ bot: { api_key } }) => api_key ?? [],
      )
      expect(keys).toEqual(account === bot ? [reopened.apiKey] : [])
    }
  })

  it('does not deliver what was sent meanwhile', async () => {
    const send = (content: string) =>
      realm.owner.api.post('/messages', { type: 'channel', to: 'general', topic: 't', content })
    const before = expectSuccess(await send('before')).id
    expectSuccess(await realm.owner.api.delete(`/users/${member.id}`))
    const meanwhile = expectSuccess(await send('meanwhile')).id
    const reopened = await reopen(realm, member)
    const after = expectSuccess(await send('after')).id
    const { snapshot } = await openQueue(reopened)
    const unread = snapshot.unread_msgs.streams.flatMap(
      (topic: { unread_message_ids: number[] }) => topic.unread_message_ids,
    )
    expect(unread).toEqual([before, after])
    expect(unread).not.toContain(meanwhile)
  })

  it('changes nothing when the account is active', async () => {
    const watcher = await openQueue(realm.owner)
    expectSuccess(await realm.owner.api.post(`/users/${member.id}/reactivate`))
    expect(await watcher.events()).toEqual([])
  })

  it('is for administrators', async () => {
    const other = await buildUser(realm)
    expectSuccess(await realm.owner.api.delete(`/users/${member.id}`))
    expect((await other.api.post(`/users/${member.id}/reactivate`)).body.msg).toBe('Insufficient permission')
    expect((await realm.owner.api.post('/users/99999/reactivate')).body.msg).toBe('No such user')
  })
})

describe('deactivating oneself', () => {
  it('is allowed to everybody but the last owner', async () => {
    expectSuccess(await member.api.delete('/users/me'))
    expect((await member.api.get('/users/me')).status).toBe(401)
    expect((await realm.owner.api.delete('/users/me')).body).toMatchObject({
      code: 'CANNOT_DEACTIVATE_LAST_USER',
      msg: 'Cannot deactivate the only organization owner.',
      is_last_owner: true,
      entity: 'organization owner',
    })
  })
})
