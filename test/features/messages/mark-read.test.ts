import { describe, expect, it } from 'vitest'
import { buildChannel, expectSuccess, type TestUser } from '../../support/factories.ts'
import { idsIn, sendDirect, sendTo } from '../../support/messages.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, ann, ben, room } = useRealm(
  { ann: 'member', ben: 'member' },
  { channels: { room: ['ann', 'ben'] } },
)

async function sendMany(topic: string, count: number, channel = room): Promise<number[]> {
  const ids: number[] = []
  for (let n = 0; n < count; n += 1) ids.push(await sendTo(ann, channel.id, topic, `number ${n}`))
  return ids
}

describe('marking as read', () => {
  it('everything emits one event without ids', async () => {
    await sendMany('all', 2)
    await sendDirect(ann, [ben])
    const [bens, anns] = [await openQueue(ben), await openQueue(ann)]
    expect(expectSuccess(await ben.api.post('/mark_all_as_read'))).toMatchObject({ complete: true })
    expect(await idsIn(ben, [['is', 'unread']])).toEqual([])
    expect(await bens.eventsOf('update_message_flags')).toMatchObject([
      { op: 'add', flag: 'read', messages: [], all: true },
    ])
    expect(await anns.eventsOf('update_message_flags')).toEqual([])
    const later = await sendTo(ann, room.id, 'all')
    expect(await idsIn(ben, [['is', 'unread']])).toEqual([later])
  })

  it('a channel changes its unread messages', async () => {
    const hall = await buildChannel([ann, ben])
    await ben.api.post('/mark_all_as_read')
    const ids = await sendMany('one', 2, hall)
    const elsewhere = await sendTo(ann, room.id, 'one')
    const queue = await openQueue(ben)
    expectSuccess(await ben.api.post('/mark_stream_as_read', { stream_id: hall.id }))
    expect(await queue.eventsOf('update_message_flags')).toMatchObject([
      { op: 'add', flag: 'read', messages: ids, all: false },
    ])
    expect(await idsIn(ben, [['is', 'unread']])).toEqual([elsewhere])
  })

  it('a topic works under any spelling, and either name of the empty one', async () => {
    await ben.api.post('/mark_all_as_read')
    const [named] = await sendMany('Named', 1)
    const [empty] = await sendMany('', 1)
    expectSuccess(await ben.api.post('/mark_topic_as_read', { stream_id: room.id, topic_name: 'NAMED' }))
    expect(await idsIn(ben, [['is', 'unread']])).toEqual([empty])
    expectSuccess(
      await ben.api.post('/mark_topic_as_read', { stream_id: room.id, topic_name: 'general chat' }),
    )
    expect(await idsIn(ben, [['is', 'unread']])).not.toContain(named)
    expect(await idsIn(ben, [['is', 'unread']])).toEqual([])
  })

  it('is refused for topics without a message of one’s own, and channels one cannot read', async () => {
    await sendMany('known', 1)
    const topic = (user: TestUser, topic_name: string, stream_id = room.id) =>
      user.api.post('/mark_topic_as_read', { stream_id, topic_name })
    expectRefusal(await topic(ben, 'never'), "No such topic 'never'")
    expectRefusal(await topic(realm.owner, 'known'), "No such topic 'known'")
    const secret = await buildChannel([ann], { invite_only: true })
    expectRefusal(await topic(ben, 'x', secret.id), 'Invalid channel ID')
    expectRefusal(await ben.api.post('/mark_stream_as_read', { stream_id: secret.id }), 'Invalid channel ID')
    expectRefusal(await ben.api.post('/mark_stream_as_read', { stream_id: 9_999 }), 'Invalid channel ID')
    for (const path of ['/mark_all_as_read', '/mark_stream_as_read', '/mark_topic_as_read']) {
      expectUnauthorized(await realm.anonymous.post(path))
    }
  })
})
