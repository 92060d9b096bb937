import { beforeAll, describe, expect, it } from 'vitest'
import { expectSuccess } from '../../support/factories.ts'
import type { Json } from '../../support/json.ts'
import { sendTo } from '../../support/messages.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'

const { ann } = useRealm({ ann: 'member' })
let snapshot: Json
beforeAll(async () => {
  snapshot = (await openQueue(ann)).snapshot
})

describe('a limit that register announces', () => {
  it('has the numbers that clients of today expect', () => {
    expect(snapshot).toMatchObject({
      max_message_length: 10_000,
      max_topic_length: 60,
      max_stream_name_length: 60,
      max_stream_description_length: 1_024,
      event_queue_longpoll_timeout_seconds: 90,
    })
  })

  it('cuts messages that are longer', async () => {
    const id = await sendTo(ann, 'general', 'x', 'é'.repeat(snapshot.max_message_length + 1))
    const { message } = expectSuccess(await ann.api.get(`/messages/${id}`, { apply_markdown: false }))
    expect([...message.content]).toHaveLength(snapshot.max_message_length)
  })

  it('cuts topics that are longer', async () => {
    const id = await sendTo(ann, 'general', '🌱'.repeat(snapshot.max_topic_length + 1))
    const { message } = expectSuccess(await ann.api.get(`/messages/${id}`))
    expect([...message.subject]).toHaveLength(snapshot.max_topic_length)
  })

  it('refuses longer names of channels', async () => {
    const create = (length: number) =>
      ann.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'n'.repeat(length) }] })
    expectSuccess(await create(snapshot.max_stream_name_length))
    expectRefusal(
      await create(snapshot.max_stream_name_length + 1),
      `Channel name too long (limit: ${snapshot.max_stream_name_length} characters).`,
    )
  })

  it('refuses longer descriptions of channels', async () => {
    const create = (length: number) =>
      ann.api.post('/users/me/subscriptions', {
        subscriptions: [{ name: `described ${length}`, description: 'd'.repeat(length) }],
      })
    expectSuccess(await create(snapshot.max_stream_description_length))
    expect((await create(snapshot.max_stream_description_length + 1)).body.code).toBe('BAD_REQUEST')
  })

  it('holds the times for editing and moving', () => {
    expect(snapshot).toMatchObject({
      realm_message_content_edit_limit_seconds: 600,
      realm_move_messages_within_stream_limit_seconds: 604_800,
      realm_move_messages_between_streams_limit_seconds: 604_800,
    })
  })
})
