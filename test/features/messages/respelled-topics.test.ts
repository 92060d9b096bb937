import { describe, expect, it } from 'vitest'
import { runAlarms } from '../../support/alarms.ts'
import { buildChannel, buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { openQueue } from '../../support/queues.ts'
import { useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { realm, ann, ben } = useRealm({ ann: 'member', ben: 'member' })

async function send(user: TestUser, channelId: number, topic: string): Promise<number> {
  const message = { type: 'channel', to: channelId, topic, content: 'x' }
  return expectSuccess(await user.api.post('/messages', message)).id
}

async function messagesOf(user: TestUser, channelId: number, topic: string) {
  const narrow = [
    { operator: 'channel', operand: channelId },
    { operator: 'topic', operand: topic },
  ]
  const { messages } = expectSuccess(
    await user.api.get('/messages', { anchor: 'oldest', num_before: 0, num_after: 100, narrow }),
  )
  return messages as { id: number; subject: string }[]
}

async function topicsOf(user: TestUser, channelId: number): Promise<string[]> {
  const { topics } = expectSuccess(await user.api.get(`/users/me/${channelId}/topics`))
  return topics.map(({ name }: { name: string }) => name).filter((name: string) => name !== 'channel events')
}

const NOTICES = { send_notification_to_new_thread: true, send_notification_to_old_thread: true }

describe('a topic of which only the case changes', () => {
  it.each([
    ['change_one', 0],
    ['change_one', 1],
    ['change_one', 2],
    ['change_later', 1],
    ['change_all', 1],
  ])('by %s of message %i has one spelling, and no notice', async (propagate_mode, which) => {
    const channel = await buildChannel([ann, ben])
    const ids = [
      await send(ann, channel.id, 'lunch'),
      await send(ben, channel.id, 'Lunch'),
      await send(ann, channel.id, 'lunch'),
    ]
    const queue = await openQueue(ben)
    expectSuccess(
      await ann.api.patch(`/messages/${ids[which]}`, { topic: 'LUNCH', propagate_mode, ...NOTICES }),
    )
    const events = await queue.events()
    expect(events.map(({ type }) => type)).toEqual(['update_message'])
    expect(events[0]).toMatchObject({ message_ids: ids, subject: 'LUNCH', propagate_mode: 'change_all' })
    expect(await topicsOf(ben, channel.id)).toEqual(['LUNCH'])
    const replies = [await send(ben, channel.id, 'lunch'), await send(ann, channel.id, 'LUNCH')]
    const shown = await messagesOf(ben, channel.id, 'lunch')
    expect(shown.map(({ id, subject }) => [id, subject])).toEqual(
      [...ids, ...replies].map((id) => [id, 'LUNCH']),
    )
    expect(await topicsOf(ann, channel.id)).toEqual(['LUNCH'])
  })

  it('has it in settings, with events for users who have one', async () => {
    const channel = await buildChannel([ann, ben])
    const id = await send(ann, channel.id, 'plan')
    const set = { stream_id: channel.id, topic: 'plan', visibility_policy: 3 }
    expectSuccess(await ben.api.post('/user_topics', set))
    const [queue, older] = [
      await openQueue(ben),
      await openQueue(ann, { event_types: ['muted_topics', 'update_message'] }),
    ]
    expectSuccess(await ann.api.post('/user_topics', { ...set, visibility_policy: 1 }))
    expectSuccess(await ann.api.patch(`/messages/${id}`, { topic: 'PLAN' }))
    expect(
      (await queue.eventsOf('user_topic')).map((event) => [event.topic_name, event.visibility_policy]),
    ).toEqual([
      ['plan', 0],
      ['PLAN', 3],
    ])
    expect((await older.eventsOf('muted_topics')).at(-1)?.muted_topics).toMatchObject([
      [channel.name, 'PLAN', expect.any(Number)],
    ])
    for (const [user, visibility_policy] of [
      [ben, 3],
      [ann, 1],
    ] as const) {
      expect((await openQueue(user)).snapshot.user_topics).toContainEqual(
        expect.objectContaining({ stream_id: channel.id, topic_name: 'PLAN', visibility_policy }),
      )
    }
    expectSuccess(await ben.api.post('/user_topics', { ...set, visibility_policy: 2 }))
    expect((await openQueue(ben)).snapshot.user_topics).toContainEqual(
      expect.objectContaining({ topic_name: 'PLAN', visibility_policy: 2 }),
    )
  })

  it('has it in drafts and scheduled messages that were begun before', async () => {
    const channel = await buildChannel([ann, ben])
    const id = await send(ann, channel.id, 'later')
    const draft = { type: 'stream', to: [channel.id], topic: 'later', content: 'begun', timestamp: 1 }
    expectSuccess(await ben.api.post('/drafts', { drafts: [draft] }))
    const due = Math.floor(Date.now() / 1_000 + world.clockOffset) + 3_600
    const scheduled = { type: 'channel', to: channel.id, topic: 'later', content: 'planned' }
    expectSuccess(
      await ben.api.post('/scheduled_messages', { ...scheduled, scheduled_delivery_timestamp: due }),
    )
    expectSuccess(await ann.api.patch(`/messages/${id}`, { topic: 'Later', ...NOTICES }))
    const { snapshot } = await openQueue(ben)
    expect(snapshot.drafts).toMatchObject([{ topic: 'Later' }])
    expect(snapshot.scheduled_messages).toMatchObject([{ topic: 'Later' }])
    expect(expectSuccess(await ben.api.get('/drafts')).drafts).toMatchObject([{ topic: 'Later' }])
    expect(expectSuccess(await ben.api.get('/scheduled_messages')).scheduled_messages).toMatchObject([
      { topic: 'Later' },
    ])
    world.clockOffset += 3_700
    await runAlarms(realm, 2)
    expect((await messagesOf(ann, channel.id, 'later')).map(({ subject }) => subject)).toEqual([
      'Later',
      'Later',
    ])
  })

  it('gives messages that are moved there later its spelling', async () => {
    const channel = await buildChannel([ann, ben])
    const [id, other] = [await send(ann, channel.id, 'goal'), await send(ann, channel.id, 'other')]
    expectSuccess(await ann.api.patch(`/messages/${id}`, { topic: 'Goal' }))
    expectSuccess(
      await ann.api.patch(`/messages/${other}`, { topic: 'GOAL', send_notification_to_new_thread: false }),
    )
    expect((await messagesOf(ben, channel.id, 'goal')).map(({ subject }) => subject)).toEqual([
      'Goal',
      'Goal',
    ])
  })

  it('shows its spelling to nobody who can read nothing in it', async () => {
    const channel = await buildChannel([ann, ben], { invite_only: true })
    const id = await send(ann, channel.id, 'secret')
    expectSuccess(await ann.api.patch(`/messages/${id}`, { topic: 'Secret' }))
    const newMember = await buildUser(realm)
    expectSuccess(
      await ann.api.post('/users/me/subscriptions', {
        subscriptions: [{ name: channel.name }],
        principals: [newMember.id],
      }),
    )
    const own = await send(newMember, channel.id, 'SECRET')
    expect(await messagesOf(newMember, channel.id, 'secret')).toMatchObject([{ id: own, subject: 'SECRET' }])
  })

  it('can be respelled while its message may be moved, whatever others’ age', async () => {
    const channel = await buildChannel([ann, ben])
    await send(ann, channel.id, 'old')
    world.clockOffset += 8 * 86_400
    const id = await send(ann, channel.id, 'old')
    expectSuccess(await ann.api.patch(`/messages/${id}`, { topic: 'OLD' }))
    expect(await topicsOf(ben, channel.id)).toEqual(['OLD'])
    world.clockOffset += 8 * 86_400
    const late = await ann.api.patch(`/messages/${id}`, { topic: 'Old' })
    expect(late.body.msg).toBe("The time limit for editing this message's topic has passed.")
  })
})
