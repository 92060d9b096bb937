import { describe, expect, it } from 'vitest'
import { buildChannel, buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'

const PATH = '/users/me/subscriptions'

const { realm, ann, ben, admin, guest } = useRealm({
  ann: 'member',
  ben: 'member',
  admin: 'administrator',
  guest: 'guest',
})
/** The owner of another organization. */
const { owner: stranger } = useRealm()

async function send(from: TestUser, to: string, topic = 'leaving'): Promise<number> {
  return expectSuccess(await from.api.post('/messages', { type: 'channel', to, topic, content: 'hello' })).id
}

describe('leaving', () => {
  it('notifies the leaver and the other subscribers, and stops further messages', async () => {
    const { id, name } = await buildChannel([ann, ben])
    const [own, peer] = await Promise.all([openQueue(ben), openQueue(ann)])
    const answer = expectSuccess(await ben.api.delete(PATH, { subscriptions: [name.toUpperCase()] }))
    expect(answer).toMatchObject({ removed: [name], not_removed: [] })
    await send(ann, name)
    expect(await peer.eventsOf('subscription')).toMatchObject([
      { op: 'peer_remove', stream_ids: [id], user_ids: [ben.id] },
    ])
    const events = await own.events()
    expect(events[0]).toMatchObject({ op: 'remove', subscriptions: [{ stream_id: id, name }] })
    expect(events.map(({ type }) => type)).not.toContain('message')
    const again = expectSuccess(await ben.api.delete(PATH, { subscriptions: [name] }))
    expect(again).toMatchObject({ removed: [], not_removed: [name] })
    expect(await peer.events()).toEqual([])
    const { snapshot } = await openQueue(ben)
    const ids = (list: { stream_id: number }[]) => list.map(({ stream_id }) => stream_id)
    expect(ids(snapshot.subscriptions)).not.toContain(id)
    expect(ids(snapshot.unsubscribed)).toContain(id)
  })

  it('marks the channel’s messages as read', async () => {
    const { name } = await buildChannel([ann, ben])
    const ids = [await send(ann, name), await send(ann, name)]
    const queue = await openQueue(ben)
    expect(queue.snapshot.unread_msgs.count).toBeGreaterThan(1)
    expectSuccess(await ben.api.delete(PATH, { subscriptions: [name] }))
    const [removal, event] = await queue.events()
    expect(removal).toMatchObject({ type: 'subscription', op: 'remove' })
    expect(event).toMatchObject({ type: 'update_message_flags', op: 'add', flag: 'read', all: false })
    expect(event!.messages).toEqual(expect.arrayContaining(ids))
    expectSuccess(await ben.api.post(PATH, { subscriptions: [{ name }] }))
    const unread = (await openQueue(ben)).snapshot.unread_msgs.streams as { unread_message_ids: number[] }[]
    const left = unread.flatMap((one) => one.unread_message_ids)
    for (const id of ids) expect(left).not.toContain(id)
  })

  it('marks as read for each of several people what was unread for them', async () => {
    const people = [ann, ben, admin]
    const { name } = await buildChannel(people)
    const ids = [await send(realm.owner, name), await send(realm.owner, name)]
    expectSuccess(await ben.api.post('/messages/flags', { messages: [ids[0]], op: 'add', flag: 'read' }))
    const queues = await Promise.all(people.map((one) => openQueue(one)))
    const principals = people.map((one) => one.id)
    expectSuccess(await realm.owner.api.delete(PATH, { subscriptions: [name], principals }))
    const read = await Promise.all(
      queues.map(async (queue) => {
        const events = await queue.eventsOf('update_message_flags')
        expect(events).toHaveLength(1)
        return (events[0]!.messages as number[]).filter((id) => ids.includes(id))
      }),
    )
    expect(read).toEqual([ids, ids.slice(1), ids])
  })

  it('a private channel hides it, except from administrators', async () => {
    const { id, name } = await buildChannel([ann, ben, admin], { invite_only: true })
    const [own, administrator] = await Promise.all([openQueue(ben), openQueue(admin)])
    expectSuccess(
      await realm.owner.api.delete(PATH, { subscriptions: [name], principals: [ben.id, admin.id] }),
    )
    const kinds = (events: { type: string; op?: string }[]) => events.map(({ type, op }) => `${type}/${op}`)
    const lost = await own.events()
    expect(kinds(lost)).toEqual(['subscription/remove', 'stream/delete', 'update_message_flags/add'])
    expect(lost[1]).toMatchObject({ streams: [{ stream_id: id }], stream_ids: [id] })
    expect(kinds(await administrator.events())).toEqual(['subscription/remove', 'update_message_flags/add'])
    expectRefusal(await ben.api.get(`/streams/${id}`), 'Invalid channel ID')
    expectSuccess(await admin.api.get(`/streams/${id}`))
  })

  it('hides a public channel from a guest', async () => {
    const { id, name } = await buildChannel([ann, guest])
    const queue = await openQueue(guest)
    expectSuccess(await guest.api.delete(PATH, { subscriptions: [name] }))
    expect(await queue.eventsOf('stream', 'delete')).toMatchObject([{ stream_ids: [id] }])
  })

  it('several public channels emits one event to their subscribers', async () => {
    const [one, two] = [await buildChannel([ann, ben]), await buildChannel([ann, ben])]
    const queue = await openQueue(ann)
    expectSuccess(await ben.api.delete(PATH, { subscriptions: [one.name, two.name] }))
    expect(await queue.events()).toMatchObject([
      { op: 'peer_remove', stream_ids: [one.id, two.id], user_ids: [ben.id] },
    ])
  })
})

describe('a channel that does not exist', () => {
  it('makes the whole request fail', async () => {
    const { id, name } = await buildChannel([ann])
    expectRefusal(
      await ann.api.delete(PATH, { subscriptions: [name, 'no such', 'nor this'] }),
      "Channel 'no such' does not exist",
      { code: 'STREAM_DOES_NOT_EXIST', stream: 'no such' },
    )
    const status = await ann.api.get(`/users/${ann.id}/subscriptions/${id}`)
    expect(expectSuccess(status).is_subscribed).toBe(true)
  })
})

describe('removing others', () => {
  it('is for administrators, the channel’s administrators, and its can_remove_subscribers_group', async () => {
    const { id, name } = await buildChannel([ann, ben, guest])
    const remove = (by: TestUser, ids: number[]) =>
      by.api.delete(PATH, { subscriptions: [name], principals: ids })
    expectRefusal(await remove(ben, [ann.id]), 'Insufficient permission')
    expectRefusal(await remove(guest, [ann.id]), 'Insufficient permission')
    expect(expectSuccess(await remove(ann, [guest.id])).removed).toEqual([name])
    const can_remove_subscribers_group = { new: { direct_members: [ben.id], direct_subgroups: [] } }
    expectSuccess(await ann.api.patch(`/streams/${id}`, { can_remove_subscribers_group }))
    expect(expectSuccess(await remove(ben, [ann.id, ben.id])).removed).toEqual([name, name])
    expect(expectSuccess(await remove(admin, [ann.id])).not_removed).toEqual([name])
  })

  it('lets owners remove their bots from channels that they see', async () => {
    const account = { full_name: 'Bot', short_name: 'own' }
    const { user_id: bot } = expectSuccess(await ben.api.post('/bots', account))
    const [seen, hidden] = [await buildChannel([ann]), await buildChannel([ann], { invite_only: true })]
    const subscriptions = [{ name: seen.name }, { name: hidden.name }]
    expectSuccess(await ann.api.post(PATH, { subscriptions, principals: [bot] }))
    const remove = (by: TestUser, name: string) =>
      by.api.delete(PATH, { subscriptions: [name], principals: [bot] })
    const absent = `Channel '${hidden.name}' does not exist`
    expectRefusal(await remove(ben, hidden.name), absent, { code: 'STREAM_DOES_NOT_EXIST' })
    expect((await remove(guest, seen.name)).body.code).toBe('STREAM_DOES_NOT_EXIST')
    expect(expectSuccess(await remove(ben, seen.name)).removed).toEqual([seen.name])
    expect(expectSuccess(await ann.api.get(`/streams/${hidden.id}/members`)).subscribers).toContain(bot)
  })

  it('needs known and active users', async () => {
    const { name } = await buildChannel([ann])
    const gone = await buildUser(realm)
    expectSuccess(await realm.owner.api.delete(`/users/${gone.id}`))
    const remove = (principals: unknown[]) => admin.api.delete(PATH, { subscriptions: [name], principals })
    expectRefusal(await remove([4444]), 'No such user')
    expectRefusal(await remove([gone.id]), 'User is deactivated')
  })
})

describe('who may not', () => {
  it('callers without an account, or of another organization', async () => {
    const { id, name } = await buildChannel([ann])
    expectUnauthorized(await realm.anonymous.delete(PATH, { subscriptions: [name] }))
    expectRefusal(
      await stranger.api.delete(PATH, { subscriptions: [name] }),
      `Channel '${name}' does not exist`,
      {
        code: 'STREAM_DOES_NOT_EXIST',
      },
    )
    expect(expectSuccess(await ann.api.get(`/streams/${id}/members`)).subscribers).toEqual([ann.id])
  })

  it('anybody from a hidden channel, which is refused like a missing one', async () => {
    const { name } = await buildChannel([ann], { invite_only: true })
    const absent = `Channel '${name}' does not exist`
    expectRefusal(await guest.api.delete(PATH, { subscriptions: [name] }), absent, {
      code: 'STREAM_DOES_NOT_EXIST',
    })
  })
})

describe('a guest who sees only people in shared channels', () => {
  const {
    realm: closed,
    user,
    other,
    visitor,
  } = useRealm({ user: 'member', other: 'member', visitor: 'guest' })

  it('gains them by joining and loses them by leaving', async () => {
    for (const name of ['general', 'sandbox', 'Parley']) {
      expectSuccess(await visitor.api.delete(PATH, { subscriptions: [name] }))
    }
    const room = await buildChannel([user])
    expectSuccess(await closed.owner.api.patch('/realm', { can_access_all_users_group: { new: 6 } }))
    const queue = await openQueue(visitor)
    const subscriptions = [{ name: room.name }]
    await user.api.post(PATH, { subscriptions, principals: [visitor.id] })
    const people = async (op: string) =>
      (await queue.eventsOf('realm_user', op)).map(({ person }) => person.user_id)
    expect(await people('add')).toEqual([user.id])
    await other.api.post(PATH, { subscriptions })
    expect(await people('add')).toEqual([other.id])
    await other.api.delete(PATH, { subscriptions: [room.name] })
    expect(await people('remove')).toEqual([other.id])
    await visitor.api.delete(PATH, { subscriptions: [room.name] })
    expect(await people('remove')).toEqual([user.id])
  })
})
