import { expect, it } from 'vitest'
import { enterInIndex } from '../support/entered-messages.ts'
import { buildChannel, expectSuccess } from '../support/factories.ts'
import { inRealm } from '../support/inside.ts'
import { fromJson } from '../support/json.ts'
import { openQueue } from '../support/queues.ts'
import { useRealm } from '../support/use-realm.ts'

const { realm, owner, ann } = useRealm({ ann: 'member' })

it('moving hundreds with different histories stores a few ranges, and keeps access', async () => {
  const from = await buildChannel([owner, ann])
  const to = await buildChannel([owner, ann])
  const count = 200
  // One message stays behind, so that not the whole topic is moved.
  const start = await enterInIndex(realm, owner, { channelId: from.id, topic: 'long', count: count + 1 })
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
    parts.sql.all<{ runs: string }>(`SELECT runs FROM message_move WHERE runs IS NOT NULL ORDER BY id`),
  )
  expect(ranges.flatMap(({ runs }) => fromJson(runs)).toSorted((a, b) => a[0] - b[0])).toEqual([
    [first, first + count - 1],
    [id, id],
  ])
  const { unread_msgs } = (await openQueue(ann)).snapshot
  const unread = unread_msgs.streams.find(({ topic }: { topic: string }) => topic === 'renamed')
  expect(unread.unread_message_ids).toEqual(moved)
})
