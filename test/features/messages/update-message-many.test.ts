import { describe, expect, it } from 'vitest'
import type { ParameterValue } from '../../support/api.ts'
import { expectSuccess, type TestRealm } from '../../support/factories.ts'
import { insertInIndex } from '../../support/inserted-messages.ts'
import { inRealm } from '../../support/inside.ts'
import { CHANGES_OF_COMMIT } from '../../support/limits.ts'
import { sendTo } from '../../support/messages.ts'
import { openQueue, type TestQueue } from '../../support/queues.ts'
import { buildRealm } from '../../support/use-realm.ts'

const COUNT = 2 * CHANGES_OF_COMMIT + 10

/** Returns all moved ids of a queue's events, in their order, and the number of events. */
async function moved(queue: TestQueue): Promise<{ events: Record<string, unknown>[]; ids: number[] }> {
  const events = await queue.eventsOf('update_message')
  return { events, ids: events.flatMap(({ message_ids }) => message_ids as number[]).sort((a, b) => a - b) }
}

function idsOf(realm: TestRealm, channelId: number, topic: string): Promise<number[]> {
  return inRealm(realm, ({ parts }) =>
    parts.sql
      .all<{ id: number }>(
        `SELECT m.id FROM message_index m JOIN topic t ON t.id = m.topic_id
         WHERE t.channel_id = ? AND t.name_key = ? ORDER BY m.id`,
        channelId,
        topic.toLowerCase(),
      )
      .map(({ id }) => id),
  )
}

describe('a move of more messages than fit into one commit', () => {
  const arrange = async (count = COUNT) => {
    const { realm, owner, ann, from, to } = await buildRealm(
      { ann: 'member' },
      { channels: { from: ['owner', 'ann'], to: ['owner', 'ann'] } },
    )
    const first = await insertInIndex(realm, owner, { channelId: from.id, topic: 'long', count })
    const ids = Array.from({ length: count }, (_, at) => first + at)
    const queue = await openQueue(ann, { event_types: ['update_message', 'message'] })
    const change = (params: Record<string, ParameterValue>, id = first) =>
      owner.api.patch(`/messages/${id}`, { propagate_mode: 'change_all', ...params })
    return { realm, owner, ann, from, to, first, ids, queue, change }
  }

  it('to another channel needs several commits, the named message last, with all events', async () => {
    const { realm, from, to, first, ids, queue, change } = await arrange()
    expect(expectSuccess(await change({ stream_id: to.id }))).toEqual({
      result: 'success',
      msg: '',
      detached_uploads: [],
    })
    const received = await moved(queue)
    expect(received.ids).toEqual(ids)
    expect(received.events.map(({ message_ids }) => (message_ids as number[]).length)).toEqual([
      CHANGES_OF_COMMIT,
      CHANGES_OF_COMMIT,
      10,
    ])
    expect(received.events.at(-1)).toMatchObject({
      message_id: first,
      new_stream_id: to.id,
      stream_id: from.id,
    })
    expect(await idsOf(realm, from.id, 'long')).toEqual([])
    expect((await idsOf(realm, to.id, 'long')).slice(0, COUNT)).toEqual(ids)
  })

  it('creates one notice in each topic, with the total number', async () => {
    const { owner, from, to, ids, queue, change } = await arrange()
    await sendTo(owner, to.id, 'long')
    const other = { send_notification_to_old_thread: true, stream_id: to.id }
    expectSuccess(await change({ ...other, propagate_mode: 'change_later' }, ids[1]))
    const notices = (await queue.eventsOf('message')).map(({ message }) => message as { content: string })
    expect(notices.map(({ content }) => content.replaceAll(/<[^>]*>/g, ''))).toEqual([
      'hello',
      expect.stringContaining(`${COUNT - 1} messages were moved here from #${from.name} &gt; long`),
      expect.stringContaining(`${COUNT - 1} messages were moved from this topic to #${to.name} &gt; long`),
    ])
  })

  it('of a whole topic has one notice, and moves its policies', async () => {
    const { owner, ann, from, to, queue, change } = await arrange()
    const wish = { stream_id: from.id, topic: 'long', visibility_policy: 3 }
    expectSuccess(await ann.api.post('/user_topics', wish))
    expectSuccess(await change({ stream_id: to.id }))
    const [notice] = (await queue.eventsOf('message')).map(({ message }) => message as { content: string })
    expect(notice!.content).toContain('This topic was moved here from')
    const { snapshot } = await openQueue(ann, { fetch_event_types: ['user_topic'] })
    expect(snapshot.user_topics).toEqual([
      expect.objectContaining({ stream_id: to.id, topic_name: 'long', visibility_policy: 3 }),
    ])
    expect(owner.id).not.toBe(ann.id)
  })

  it('into an existing topic with a new text for the named one is complete', async () => {
    const { realm, owner, from, queue, change } = await arrange(CHANGES_OF_COMMIT + 5)
    const there = await sendTo(owner, from.id, 'other')
    const named = await sendTo(owner, from.id, 'long', 'old words')
    expectSuccess(await change({ topic: 'Other', content: 'new words' }, named))
    expect(await idsOf(realm, from.id, 'long')).toEqual([])
    expect(await idsOf(realm, from.id, 'other')).toContain(there)
    const { events } = await moved(queue)
    expect(events.map(({ content }) => content)).toEqual([undefined, 'new words'])
  })

  it('that changes only case takes the whole topic, in one commit', async () => {
    const { from, ids, queue, change } = await arrange()
    expectSuccess(await change({ topic: 'LONG', propagate_mode: 'change_later' }, ids[1]))
    const received = await moved(queue)
    expect(received.ids).toEqual(ids)
    expect(received.events).toHaveLength(1)
    expect(received.events[0]).toMatchObject({ stream_id: from.id, subject: 'LONG', orig_subject: 'long' })
  })

  it('that is refused moves nothing', async () => {
    const { realm, ann, from, to, first, ids, change } = await arrange()
    expectSuccess(await realm.owner.api.patch('/realm', { move_messages_between_streams_limit_seconds: 60 }))
    const refused = await ann.api.patch(`/messages/${first}`, {
      propagate_mode: 'change_all',
      stream_id: to.id,
      topic: 'x'.repeat(3),
      content: 'not with a channel',
    })
    expect(refused.status).toBe(400)
    expect(await idsOf(realm, from.id, 'long')).toEqual(ids)
    expect((await change({ stream_id: 99_999 })).status).toBe(400)
    expect(await idsOf(realm, from.id, 'long')).toEqual(ids)
  })
})
