import { describe, expect, it } from 'vitest'
import { finishExport, keepAlarmsAway, startExport } from '../../support/exports.ts'
import { buildChannel, expectSuccess, type TestChannel, type TestUser } from '../../support/factories.ts'
import type { Json } from '../../support/json.ts'
import { sendTo } from '../../support/messages.ts'
import { openQueue } from '../../support/queues.ts'
import { useRealm } from '../../support/use-realm.ts'

const PRIVATE = { invite_only: true, history_public_to_subscribers: true }
const PROTECTED = { invite_only: true, history_public_to_subscribers: false }

const { realm, ann, ben, cleo, dan, guest } = useRealm({
  /** The author, who is in every channel. */
  ann: 'member',
  /** In the old channel too, but later than the message. */
  ben: 'member',
  /** In the old channel until after the move. */
  cleo: 'member',
  /** Never in the old channel. */
  dan: 'member',
  guest: 'guest',
})

/** A message that was written and edited in a channel, then moved out with another topic, and edited again. */
async function movedMessage(settings: object): Promise<{ id: number; from: TestChannel; to: TestChannel }> {
  const from = await buildChannel([realm.owner, ann, cleo], { ...settings })
  const to = await buildChannel([realm.owner, ann, ben, cleo, dan, guest])
  const id = await sendTo(ann, from.id, 'the merger', 'first secret')
  expectSuccess(await ann.api.patch(`/messages/${id}`, { content: 'second secret' }))
  const subscriptions = [{ name: from.name }]
  expectSuccess(
    await realm.owner.api.post('/users/me/subscriptions', { subscriptions, principals: [ben.id] }),
  )
  expectSuccess(
    await realm.owner.api.patch(`/messages/${id}`, {
      stream_id: to.id,
      topic: 'lunch',
      send_notification_to_new_thread: false,
    }),
  )
  expectSuccess(await ann.api.patch(`/messages/${id}`, { content: 'pizza' }))
  expectSuccess(await ann.api.patch(`/messages/${id}`, { content: 'pizza?', topic: 'food' }))
  const leave = { subscriptions: [from.name], principals: [cleo.id] }
  expectSuccess(await realm.owner.api.delete('/users/me/subscriptions', leave))
  return { id, from, to }
}

async function historyOf(user: TestUser, id: number): Promise<Json[]> {
  return expectSuccess(await user.api.get(`/messages/${id}/history`)).message_history
}

/** Everything about its past that a user gets with the message. */
async function pastOf(user: TestUser, id: number): Promise<string> {
  const window = { anchor: id, num_before: 0, num_after: 0 }
  const answers = await Promise.all([
    user.api.get(`/messages/${id}/history`),
    user.api.get(`/messages/${id}`),
    user.api.get('/messages', window),
    user.api.get('/messages', { message_ids: [id] }),
  ])
  return JSON.stringify(answers.map(expectSuccess))
}

const NEW_PAST = [
  { topic: 'lunch', content: 'second secret' },
  { topic: 'lunch', content: 'pizza', prev_content: 'second secret' },
  { topic: 'food', content: 'pizza?', prev_content: 'pizza', prev_topic: 'lunch' },
]

describe('the history of a message that came from a private channel', () => {
  it('begins with its arrival for those who could not read it there', async () => {
    const { id, from } = await movedMessage(PRIVATE)
    for (const reader of [dan, guest]) {
      expect(await historyOf(reader, id)).toMatchObject(NEW_PAST)
      expect(await historyOf(reader, id)).toHaveLength(3)
      const past = await pastOf(reader, id)
      for (const hidden of ['merger', 'first secret', `"prev_stream":${from.id}`]) {
        expect(past).not.toContain(hidden)
      }
    }
  })

  it('is whole for those who may read there, or could when it left', async () => {
    const { id, from } = await movedMessage(PRIVATE)
    for (const reader of [ann, ben, cleo, realm.owner]) {
      const history = await historyOf(reader, id)
      expect(history.map(({ content }) => content)).toEqual([
        'first secret',
        'second secret',
        'second secret',
        'pizza',
        'pizza?',
      ])
      expect(history[2]).toMatchObject({ prev_topic: 'the merger', prev_stream: from.id })
    }
  })

  it('with protected history is whole only for those who had received it there', async () => {
    const { id } = await movedMessage(PROTECTED)
    expect(await historyOf(ann, id)).toHaveLength(5)
    expect(await historyOf(cleo, id)).toHaveLength(5)
    for (const reader of [ben, dan, guest]) {
      expect(await historyOf(reader, id)).toMatchObject(NEW_PAST)
      expect(await pastOf(reader, id)).not.toMatch(/merger|first secret/)
    }
  })

  it('is whole for everybody once that channel is public, and not for guests', async () => {
    const { id, from } = await movedMessage(PRIVATE)
    expectSuccess(await realm.owner.api.patch(`/streams/${from.id}`, { is_private: false }))
    expect(await historyOf(dan, id)).toHaveLength(5)
    expect(await historyOf(guest, id)).toHaveLength(3)
  })

  it('stays hidden after it has moved on', async () => {
    const { id } = await movedMessage(PRIVATE)
    const next = await buildChannel([realm.owner, ann, dan])
    expectSuccess(await realm.owner.api.patch(`/messages/${id}`, { stream_id: next.id }))
    expect(await historyOf(dan, id)).toHaveLength(4)
    expect(await pastOf(dan, id)).not.toMatch(/merger|first secret/)
  })
})

it('a public export has only what happened since a message left a private channel', async () => {
  keepAlarmsAway()
  const { id } = await movedMessage(PRIVATE)
  const { all } = await finishExport(realm, await startExport(realm.owner, { export_type: 1 }))
  const exported = all('message').find((message) => message.id === String(id))
  expect(exported).toMatchObject({
    topic: 'food',
    edits: [{ content: 'pizza', topic: 'lunch' }, { content: 'second secret' }],
  })
  expect(JSON.stringify(exported)).not.toMatch(/merger|first secret/)
})

describe('the event of a move out of a private channel', () => {
  it('has not the former topic for those who could not read there', async () => {
    const from = await buildChannel([realm.owner, ann], PRIVATE)
    const to = await buildChannel([realm.owner, ann, dan])
    const id = await sendTo(realm.owner, from.id, 'the merger', 'first secret')
    const [knowing, new_] = [await openQueue(ann), await openQueue(dan)]
    expectSuccess(
      await realm.owner.api.patch(`/messages/${id}`, {
        stream_id: to.id,
        topic: 'lunch',
        send_notification_to_new_thread: false,
      }),
    )
    expect(await knowing.eventsOf('update_message')).toMatchObject([
      { orig_subject: 'the merger', subject: 'lunch' },
    ])
    const [event] = await new_.eventsOf('update_message')
    expect(event).toMatchObject({ orig_subject: 'lunch', subject: 'lunch' })
    expect(JSON.stringify(event)).not.toMatch(/merger|first secret/)
  })
})
