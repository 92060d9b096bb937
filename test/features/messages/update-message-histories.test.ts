import { expect, it } from 'vitest'
import { countRows } from '../../support/counted-rows.ts'
import { buildChannel, expectSuccess, type TestUser } from '../../support/factories.ts'
import { insertInIndex } from '../../support/inserted-messages.ts'
import { inRealm, insertUsers } from '../../support/inside.ts'
import { fromJson } from '../../support/json.ts'
import { openQueue } from '../../support/queues.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, owner, ann } = useRealm({ ann: 'member' })
const PROTECTED = { is_private: true, history_public_to_subscribers: false }

it('moving hundreds with different histories stores a few ranges, and keeps access', async () => {
  const from = await buildChannel([owner, ann])
  const to = await buildChannel([owner, ann])
  const count = 200
  // One message stays behind, so that not the whole topic is moved.
  const start = await insertInIndex(realm, owner, { channelId: from.id, topic: 'long', count: count + 1 })
  const first = start + 1
  const change = (params: object) =>
    owner.api.patch(`/messages/${first}`, {
      propagate_mode: 'change_all',
      send_notification_to_new_thread: false,
      ...params,
    })
  expectSuccess(await change({ topic: 'renamed', propagate_mode: 'change_later' }))
  const later = { type: 'channel', to: from.name, topic: 'renamed', content: 'later' }
  const { id } = expectSuccess(await owner.api.post('/messages', later))
  const queue = await openQueue(ann)
  expectSuccess(await change({ stream_id: to.id }))
  const [event] = await queue.eventsOf('update_message')
  const moved = [...Array.from({ length: count }, (_, at) => first + at), id]
  expect(event).toMatchObject({ new_stream_id: to.id, message_ids: moved })
  const ranges = await inRealm(realm, ({ parts }) =>
    parts.sql.all<{ ranges: string }>(`SELECT ranges FROM message_move WHERE ranges IS NOT NULL ORDER BY id`),
  )
  expect(ranges.flatMap(({ ranges }) => fromJson(ranges)).toSorted((a, b) => a[0] - b[0])).toEqual([
    [first, first + count - 1],
    [id, id],
  ])
  const { unread_msgs } = (await openQueue(ann)).snapshot
  const unread = unread_msgs.streams.find(({ topic }: { topic: string }) => topic === 'renamed')
  expect(unread.unread_message_ids).toEqual(moved)
})

it('a move into protected history is read for new members, and unread for receivers', async () => {
  const COUNT = 600
  const from = await buildChannel([owner])
  const to = await buildChannel([owner])
  const people = await insertUsers(realm, COUNT, to.id)
  expectSuccess(await owner.api.patch(`/streams/${to.id}`, PROTECTED))
  const [receiver, former, holder, behind] = people as [TestUser, TestUser, TestUser, TestUser]
  const join = { subscriptions: [{ name: from.name }], principals: [receiver.id, former.id] }
  expectSuccess(await owner.api.post('/users/me/subscriptions', join))
  const topic = { type: 'channel', to: from.name, topic: 'old' }
  const ids: number[] = []
  const send = async (content: string) =>
    ids.push(expectSuccess(await owner.api.post('/messages', { ...topic, content })).id)
  await send('one')
  await send('@**all** two')
  expectSuccess(await former.api.delete('/users/me/subscriptions', { subscriptions: [from.name] }))
  await send('three')
  // Whoever has starred a message has a record of it, which the move leaves as it is.
  expectSuccess(await holder.api.post('/messages/flags', { messages: [ids[0]!], op: 'add', flag: 'starred' }))
  // Some have a block of their own, and some have read everything.
  const direct = { type: 'private', to: [behind.id], content: 'Hello' }
  const { id: unrelated } = expectSuccess(await owner.api.post('/messages', direct))
  expectSuccess(await people.at(-1)!.api.post('/mark_all_as_read'))
  const move = { propagate_mode: 'change_all', stream_id: to.id, send_notification_to_new_thread: false }
  const { object } = await countRows(owner.api, 'PATCH', `/messages/${ids[0]}`, move)
  expect(object.read).toBeLessThan(20 * COUNT)
  const unreadOf = async (user: TestUser) => {
    const { streams, mentions } = (await openQueue(user)).snapshot.unread_msgs
    const inTopic = streams.find(({ topic: name }: { topic: string }) => name === 'old')
    return { moved: inTopic?.unread_message_ids ?? [], mentions }
  }
  expect(await unreadOf(receiver)).toEqual({ moved: ids, mentions: [ids[1]] })
  const { message } = expectSuccess(await holder.api.get(`/messages/${ids[0]}`))
  expect([...message.flags].sort()).toEqual(['historical', 'read', 'starred'])
  // Whoever leaves a channel has read what it had; people are in all parts that are read for together.
  for (const user of [former, holder, behind, ...[10, 499, 500, COUNT - 1].map((at) => people[at]!)]) {
    expect(await unreadOf(user)).toEqual({ moved: [], mentions: [] })
  }
  const { pms } = (await openQueue(behind)).snapshot.unread_msgs
  expect(pms.flatMap((one: { unread_message_ids: number[] }) => one.unread_message_ids)).toEqual([unrelated])
})
