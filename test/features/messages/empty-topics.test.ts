import { describe, expect, it } from 'vitest'
import type { ParameterValue } from '../../support/api.ts'
import { buildChannel, expectSuccess, type TestUser } from '../../support/factories.ts'
import { sendTo } from '../../support/messages.ts'
import { ALL_CAPABILITIES, openQueue, whileListening } from '../../support/queues.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, ann, ben, channel } = useRealm(
  { ann: 'member', ben: 'member', guest: 'guest' },
  { channels: { channel: ['ann', 'ben', 'guest'] } },
)

async function send(topic: string, content = 'hello'): Promise<number> {
  return expectSuccess(await ann.api.post('/messages', { type: 'channel', to: 'general', topic, content })).id
}

function edit(user: TestUser, id: number, params: Record<string, ParameterValue>) {
  return user.api.patch(`/messages/${id}`, params)
}

function schedule(params: Record<string, ParameterValue | undefined>) {
  const scheduled_delivery_timestamp = Math.floor(Date.now() / 1_000) + 3_600
  const message = { type: 'channel', to: channel.id, topic: 'later', content: 'x' }
  return ann.api.post('/scheduled_messages', { ...message, scheduled_delivery_timestamp, ...params })
}

async function topicOf(id: number): Promise<string> {
  return expectSuccess(await ann.api.get(`/messages/${id}`, { allow_empty_topic_name: true })).message.subject
}

describe('the empty topic', () => {
  it('is the empty string, and has a display name in snapshots', async () => {
    const queue = await openQueue(ann)
    expect(queue.snapshot.realm_empty_topic_display_name).toBe('general chat')
    await send('')
    expect((await queue.eventsOf('message'))[0]?.message.subject).toBe('')
  })

  it.each(['', '(no topic)', 'general chat'])(
    'as %j is refused in sending, scheduling and editing where a topic is required',
    async (topic) => {
      const strict = await buildChannel([ann], { topics_policy: 'disable_empty_topic' })
      const refusal = 'Sending messages to the general chat is not allowed in this channel.'
      const params = { type: 'channel', to: strict.id, topic, content: 'x' }
      expectRefusal(await ann.api.post('/messages', params), refusal)
      expectRefusal(await schedule({ to: strict.id, topic }), refusal)
      expectRefusal(await edit(ann, await sendTo(ann, strict.id, 'named'), { topic }), refusal)
    },
  )

  it('is (no topic) in sending; in edits, policies and deletions that is a name', async () => {
    const id = await sendTo(ann, channel.id, '(no topic)')
    expect(await topicOf(id)).toBe('')
    expectSuccess(await ann.api.patch(`/messages/${id}`, { topic: '(no topic)' }))
    expect(await topicOf(id)).toBe('(no topic)')
    const preference = { stream_id: channel.id, topic: '(no topic)', visibility_policy: 1 }
    expectSuccess(await ben.api.post('/user_topics', preference))
    const { snapshot } = await openQueue(ben, { fetch_event_types: ['user_topic'] })
    expect(snapshot.user_topics).toMatchObject([{ topic_name: '(no topic)' }])
    const empty = await sendTo(ann, channel.id, '')
    const path = `/streams/${channel.id}/delete_topic`
    expectSuccess(await realm.owner.api.post(path, { topic_name: '(no topic)' }))
    expectSuccess(await ann.api.get(`/messages/${empty}`))
    expectRefusal(await ann.api.get(`/messages/${id}`), 'Invalid message(s)')
  })

  it('has its display name in all events for clients without empty_topic_name', async () => {
    const old = await openQueue(ann, {
      client_capabilities: { ...ALL_CAPABILITIES, empty_topic_name: false },
    })
    const at = Math.floor(Date.now() / 1_000) + 3_600
    const params = { type: 'channel', to: channel.id, topic: '', content: 'x' }
    expectSuccess(await ann.api.post('/messages', params))
    const scheduled = expectSuccess(
      await ann.api.post('/scheduled_messages', { ...params, scheduled_delivery_timestamp: at }),
    )
    const draft = { type: 'stream', to: [channel.id], topic: '', content: 'x', timestamp: at }
    expectSuccess(await ann.api.post('/drafts', { drafts: [draft] }))
    const events = await old.events()
    const of = (type: string) => events.find((event) => event.type === type)
    expect(of('message')?.message.subject).toBe('general chat')
    expect(of('scheduled_messages')?.scheduled_messages[0].topic).toBe('general chat')
    expect(of('drafts')?.drafts[0].topic).toBe('general chat')
    expectSuccess(await ann.api.delete(`/scheduled_messages/${scheduled.scheduled_message_id}`))
  })

  it('has its display name in typing_edit_message, too', async () => {
    const id = await sendTo(ann, channel.id, '')
    const queue = await openQueue(ben, {
      client_capabilities: { ...ALL_CAPABILITIES, empty_topic_name: false },
    })
    const [events] = await whileListening([queue], async () => {
      expectSuccess(await ann.api.post(`/messages/${id}/typing`, { op: 'start' }))
    })
    expect(events?.find(({ type }) => type === 'typing_edit_message')?.recipient.topic).toBe('general chat')
  })
})
