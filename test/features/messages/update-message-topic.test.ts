import { afterEach, describe, expect, it } from 'vitest'
import { evictRealm, type ParameterValue } from '../../support/api.ts'
import { buildChannel, buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import type { Json } from '../../support/json.ts'
import { ALL_CAPABILITIES, openQueue, type TestQueue } from '../../support/queues.ts'
import { turnRealmSettings } from '../../support/realm-settings.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const DAY = 86_400

const { realm, ann, ben, moderator, channel } = useRealm(
  { ann: 'member', ben: 'member', moderator: 'moderator' },
  { channels: { channel: ['ann', 'ben', 'moderator'] } },
)

afterEach(() => {
  world.clockOffset = 0
})

async function send(from: TestUser, topic: string, content = 'hello', to: string = channel.name) {
  const { id } = expectSuccess(await from.api.post('/messages', { type: 'channel', to, topic, content }))
  return id as number
}

function move(user: TestUser, id: number, params: Record<string, ParameterValue>) {
  return user.api.patch(`/messages/${id}`, params)
}

/** Returns the ids in a topic, with the texts of the bot's notices in place of their ids. */
async function topicOf(user: TestUser, topic: string, to = channel): Promise<(number | string)[]> {
  const narrow = [
    { operator: 'channel', operand: to.id },
    { operator: 'topic', operand: topic },
  ]
  const { messages } = expectSuccess(
    await user.api.get('/messages', { anchor: 'newest', num_before: 100, narrow, apply_markdown: false }),
  )
  return messages.map((message: { id: number; sender_full_name: string; content: string }) =>
    message.sender_full_name === 'Notification Bot' ? message.content : message.id,
  )
}

async function fetchMessage(user: TestUser, id: number): Promise<Json> {
  return expectSuccess(await user.api.get(`/messages/${id}`, { allow_empty_topic_name: true })).message
}

async function typesOf(queue: TestQueue): Promise<string[]> {
  return (await queue.events()).map(({ type }) => type)
}

function mention({ fullName, id }: TestUser): string {
  return `@_**${fullName}|${id}**`
}

describe('moving to another topic', () => {
  it('moves one message, and notifies both users of the old and new topic', async () => {
    const [one, two, three] = [await send(ann, 'from'), await send(ben, 'from'), await send(ann, 'from')]
    const [anns, bens] = [await openQueue(ann), await openQueue(ben)]
    expectSuccess(await move(ann, two, { topic: 'to' }))
    const facts = {
      user_id: ann.id,
      message_id: two,
      message_ids: [two],
      stream_id: channel.id,
      orig_subject: 'from',
      subject: 'to',
      topic_links: [],
      propagate_mode: 'change_one',
      rendering_only: false,
    }
    const [own] = await anns.eventsOf('update_message')
    const bensEvents = await bens.events()
    expect(own).toMatchObject({ ...facts, flags: [] })
    const types = ['update_message', 'muted_topics', 'user_topic', 'message']
    expect(bensEvents.map(({ type }) => type)).toEqual(types)
    expect(bensEvents[0]).toMatchObject(facts)
    for (const name of ['content', 'new_stream_id']) expect(bensEvents[0]).not.toHaveProperty(name)
    const notice = `[A message](http://${realm.host}/#narrow/channel/${channel.id}-${channel.name.replace(' ', '-')}/topic/to/near/${two}) was moved here from #**${channel.name}>from** by ${mention(ann)}.`
    expect(await topicOf(ben, 'from')).toEqual([one, three])
    expect(await topicOf(ben, 'to')).toEqual([two, notice])
  })

  it('moves the message and those after it, or the whole topic', async () => {
    const ids = [await send(ann, 'long'), await send(ben, 'long'), await send(ann, 'long')]
    expectSuccess(await move(ann, ids[1]!, { topic: 'tail', propagate_mode: 'change_later' }))
    expect(await topicOf(ann, 'long')).toEqual([ids[0]])
    expect((await topicOf(ann, 'tail')).slice(0, 2)).toEqual(ids.slice(1))
    expectSuccess(await move(ben, ids[2]!, { topic: 'whole', propagate_mode: 'change_all' }))
    expect(await topicOf(ann, 'tail')).toEqual([])
    const moved = await topicOf(ann, 'whole')
    expect(moved.slice(0, 2)).toEqual(ids.slice(1))
    expect(moved.at(-1)).toBe(`This topic was moved here from #**${channel.name}>tail** by ${mention(ben)}.`)
  })

  it('records the move and its time for each message, without a content edit', async () => {
    const ids = [await send(ann, 'history'), await send(ben, 'history')]
    expectSuccess(await move(ann, ids[0]!, { topic: 'history 2', propagate_mode: 'change_all' }))
    expectSuccess(await move(ben, ids[1]!, { topic: 'history 3' }))
    expectSuccess(await move(ann, ids[1]!, { topic: 'history 4', propagate_mode: 'change_all' }))
    await evictRealm(realm.id)
    const [first, second] = [await fetchMessage(ben, ids[0]!), await fetchMessage(ben, ids[1]!)]
    const entry = (user: TestUser, prev_topic: string, topic: string) => ({
      user_id: user.id,
      timestamp: expect.any(Number),
      prev_topic,
      topic,
    })
    expect(first.edit_history).toEqual([entry(ann, 'history', 'history 2')])
    expect(second.edit_history).toEqual([
      entry(ann, 'history 3', 'history 4'),
      entry(ben, 'history 2', 'history 3'),
      entry(ann, 'history', 'history 2'),
    ])
    expect(first.last_moved_timestamp).toBeGreaterThanOrEqual(first.timestamp)
    expect(first).not.toHaveProperty('last_edit_timestamp')
    const { message_history } = expectSuccess(await ben.api.get(`/messages/${ids[1]}/history`))
    expect(message_history.map((one: { topic: string }) => one.topic)).toEqual([
      'history',
      'history 2',
      'history 3',
      'history 4',
    ])
  })

  it('together with new content is one event, and one entry for the edited message alone', async () => {
    const ids = [await send(ann, 'both', 'old'), await send(ben, 'both')]
    const bens = await openQueue(ben)
    expectSuccess(await move(ann, ids[0]!, { topic: 'both 2', content: 'new', propagate_mode: 'change_all' }))
    const events = await bens.eventsOf('update_message')
    expect(events).toHaveLength(1)
    expect(events[0]).toMatchObject({
      message_id: ids[0],
      message_ids: ids,
      orig_content: 'old',
      content: 'new',
      orig_subject: 'both',
      subject: 'both 2',
    })
    const [edited, other] = [await fetchMessage(ben, ids[0]!), await fetchMessage(ben, ids[1]!)]
    expect(edited.edit_history).toEqual([
      {
        user_id: ann.id,
        timestamp: expect.any(Number),
        prev_content: 'old',
        prev_rendered_content: '<p>old</p>',
        prev_topic: 'both',
        topic: 'both 2',
      },
    ])
    expect(other.edit_history).toEqual([
      { user_id: ann.id, timestamp: expect.any(Number), prev_topic: 'both', topic: 'both 2' },
    ])
    expect(other).not.toHaveProperty('last_edit_timestamp')
  })

  it('by case alone is a move within the same topic', async () => {
    const ids = [await send(ann, 'capitals'), await send(ben, 'Capitals')]
    const bens = await openQueue(ben)
    expectSuccess(await move(ann, ids[0]!, { topic: 'CAPITALS', propagate_mode: 'change_all' }))
    expect((await bens.eventsOf('update_message'))[0]).toMatchObject({
      orig_subject: 'capitals',
      subject: 'CAPITALS',
      message_ids: ids,
    })
    expect((await fetchMessage(ben, ids[1]!)).subject).toBe('CAPITALS')
  })

  it('sends the empty topic’s display name to older clients', async () => {
    const id = await send(ann, 'named')
    const modern = await openQueue(ben)
    const old = await openQueue(ben, {
      client_capabilities: { ...ALL_CAPABILITIES, empty_topic_name: false },
    })
    expectSuccess(await move(ann, id, { topic: 'general chat' }))
    expect((await modern.eventsOf('update_message'))[0]).toMatchObject({ subject: '' })
    expect((await old.eventsOf('update_message'))[0]).toMatchObject({ subject: 'general chat' })
    expect((await fetchMessage(ben, id)).subject).toBe('')
  })

  it('cuts a long name, and leaves "(no topic)" as it is', async () => {
    const id = await send(ann, 'short')
    expectSuccess(await move(ann, id, { topic: 'x'.repeat(61) }))
    expect((await fetchMessage(ann, id)).subject).toBe(`${'x'.repeat(57)}...`)
    expectSuccess(await move(ann, id, { subject: '(no topic)' }))
    expect((await fetchMessage(ann, id)).subject).toBe('(no topic)')
  })

  it('puts a notice into the old topic only when asked to', async () => {
    const ids = [await send(ann, 'noisy'), await send(ann, 'noisy'), await send(ann, 'noisy')]
    const quiet = { send_notification_to_new_thread: false }
    const noisy = { ...quiet, send_notification_to_old_thread: true }
    expectSuccess(await move(ann, ids[2]!, { topic: 'n', ...quiet }))
    expect(await topicOf(ben, 'n')).toEqual([ids[2]])
    expectSuccess(await move(ann, ids[1]!, { topic: 'n', ...noisy }))
    const link = `#**${channel.name}>n** by ${mention(ann)}.`
    expect(await topicOf(ben, 'noisy')).toEqual([ids[0], `A message was moved from this topic to ${link}`])
    expectSuccess(await move(ann, ids[0]!, { topic: 'n', propagate_mode: 'change_later', ...noisy }))
    expect(await topicOf(ben, 'noisy')).toEqual([`This topic was moved to ${link}`])
    expectSuccess(await move(ann, ids[0]!, { topic: 'm', propagate_mode: 'change_later', ...noisy }))
    expect((await topicOf(ben, 'n')).at(-1)).toBe(
      `This topic was moved to #**${channel.name}>m** by ${mention(ann)}.`,
    )
  })

  it('puts notices that are read for the mover and unread for others', async () => {
    const id = await send(ann, 'a')
    const [anns, bens] = [await openQueue(ann), await openQueue(ben)]
    expectSuccess(await move(ann, id, { topic: 'b' }))
    const [own] = await anns.eventsOf('message')
    const [other] = await bens.eventsOf('message')
    expect(own?.flags).toEqual(['read'])
    expect(other?.flags).toEqual([])
    expect((await fetchMessage(ann, own?.message.id)).flags).toEqual(['read'])
    expect((await fetchMessage(ben, own?.message.id)).flags).toEqual([])
  })
})

describe('the spelling of a topic', () => {
  const quiet = { send_notification_to_new_thread: false }
  const subjects = (user: TestUser, ids: readonly number[]) =>
    Promise.all(ids.map(async (id) => (await fetchMessage(user, id)).subject))
  const topicsInHistory = async (id: number) => {
    const { message_history } = expectSuccess(await ben.api.get(`/messages/${id}/history`))
    return message_history.map((one: { topic: string }) => one.topic)
  }

  it('is changed by a move only for the moved messages, with their history', async () => {
    const there = await send(ben, 'final')
    const ids = [await send(ann, 'draft'), await send(ben, 'Draft')]
    const [anns, bens] = [await openQueue(ann), await openQueue(ben)]
    expectSuccess(await move(ann, ids[1]!, { topic: 'FINAL', propagate_mode: 'change_all', ...quiet }))
    for (const [user, queue] of [
      [ann, anns],
      [ben, bens],
    ] as const) {
      expect(await queue.eventsOf('update_message')).toMatchObject([
        { message_ids: ids, orig_subject: 'Draft', subject: 'FINAL' },
      ])
      expect(await subjects(user, [there, ...ids])).toEqual(['final', 'FINAL', 'FINAL'])
    }
    expect(await topicsInHistory(ids[0]!)).toEqual(['draft', 'FINAL'])
    expect(await topicsInHistory(ids[1]!)).toEqual(['Draft', 'FINAL'])
    expect(await topicOf(ben, 'fINAL')).toEqual([there, ...ids])
  })

  it('is changed for the whole topic if one message was named', async () => {
    const ids = [await send(ann, 'alone'), await send(ann, 'alone')]
    const bens = await openQueue(ben)
    expectSuccess(await move(ann, ids[0]!, { topic: 'Alone', ...quiet }))
    expect(await bens.events()).toMatchObject([{ message_ids: ids, orig_subject: 'alone', subject: 'Alone' }])
    expect(await subjects(ben, ids)).toEqual(['Alone', 'Alone'])
    expectRefusal(await move(ann, ids[0]!, { topic: 'Alone' }), 'Nothing to change')
    expectSuccess(await move(ann, ids[0]!, { topic: 'alone', ...quiet }))
    expect(await subjects(ben, ids)).toEqual(['alone', 'alone'])
  })

  it('is that of the named message when the topic is resolved', async () => {
    const ids = [await send(ann, 'tea'), await send(ann, 'Tea')]
    const bens = await openQueue(ben)
    const toggle = (topic: string) => move(ann, ids[1]!, { topic, propagate_mode: 'change_all' })
    expectSuccess(await toggle('✔ Tea'))
    expect(await subjects(ben, ids)).toEqual(['✔ Tea', '✔ Tea'])
    const [, notice] = await bens.events()
    expect(notice).toMatchObject({ type: 'message', message: { subject: '✔ Tea' } })
    expectSuccess(await toggle('Tea'))
    expect(await bens.events()).toMatchObject([
      { type: 'update_message', orig_subject: '✔ Tea', subject: 'Tea' },
      { type: 'delete_message', message_ids: [notice?.message.id], topic: 'Tea' },
    ])
    expect(await subjects(ben, ids)).toEqual(['Tea', 'Tea'])
    expect(await topicsInHistory(ids[0]!)).toEqual(['tea', '✔ Tea', 'Tea'])
  })
})

describe('a user who has some of the moved messages, without the named one,', () => {
  it('who joined later gets their messages, without the named one’s content', async () => {
    const late = await buildUser(realm)
    const secret = await buildChannel([ann], { invite_only: true, history_public_to_subscribers: false })
    const subscriptions = [{ name: secret.name }]
    const seen = [await send(ann, 'topic', 'only Ann has this', secret.name)]
    expectSuccess(await ann.api.post('/users/me/subscriptions', { subscriptions, principals: [late.id] }))
    seen.push(await send(ann, 'Topic', 'both have this', secret.name))
    const queues = [await openQueue(ann), await openQueue(late), await openQueue(ben)] as const
    const params = { topic: 'moved', content: 'and only Ann has this', propagate_mode: 'change_all' }
    expectSuccess(await move(ann, seen[0]!, { ...params, send_notification_to_new_thread: false }))
    expect(await queues[0].eventsOf('update_message')).toMatchObject([
      { message_id: seen[0], message_ids: seen, subject: 'moved', content: 'and only Ann has this' },
    ])
    const [event, ...more] = await queues[1].events()
    expect(event).toMatchObject({
      type: 'update_message',
      message_id: seen[1],
      message_ids: seen.slice(1),
      orig_subject: 'Topic',
      subject: 'moved',
      stream_id: secret.id,
      flags: [],
    })
    for (const field of ['content', 'orig_content', 'rendered_content'])
      expect(event).not.toHaveProperty(field)
    expect(more).toEqual([])
    expect(await queues[2].events()).toEqual([])
  })

  it('who left the public channel gets the event for the messages they received', async () => {
    const open = await buildChannel([ann, ben])
    const had = await send(ann, 'topic', 'both have this', open.name)
    expectSuccess(await ben.api.delete('/users/me/subscriptions', { subscriptions: [open.name] }))
    const later = await send(ann, 'topic', 'Ben had gone', open.name)
    const queue = await openQueue(ben)
    const params = { propagate_mode: 'change_all', send_notification_to_new_thread: false }
    expectSuccess(await move(ann, later, { topic: 'moved', ...params }))
    expect(await queue.events()).toMatchObject([
      { type: 'update_message', message_ids: [had], subject: 'moved' },
    ])
    // When Ben has the named message, he gets the whole event.
    expectSuccess(await move(ann, had, { topic: 'back', ...params }))
    expect(await queue.events()).toMatchObject([{ message_id: had, message_ids: [had, later] }])
  })
})

describe('who may move to another topic', () => {
  it('members within a week and 20 seconds, moderators always; refusals have their own code', async () => {
    const id = await send(ann, 'old')
    world.clockOffset = 7 * DAY + 15
    expectSuccess(await move(ben, id, { topic: 'old 2', send_notification_to_new_thread: false }))
    world.clockOffset = 7 * DAY + 30
    expectRefusal(
      await move(ben, id, { topic: 'old 3' }),
      "The time limit for editing this message's topic has passed.",
      {
        code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
        first_message_id_allowed_to_move: null,
        total_messages_allowed_to_move: 0,
        total_messages_in_topic: 1,
      },
    )
    expectSuccess(await move(moderator, id, { topic: 'old 3' }))
    await turnRealmSettings(realm, { move_messages_within_stream_limit_seconds: null })
    expectSuccess(await move(ben, id, { topic: 'old 4' }))
    await turnRealmSettings(realm, { move_messages_within_stream_limit_seconds: 7 * DAY })
  })

  it('a whole topic only if all of it is recent; the code says so', async () => {
    const old = [await send(ann, 'aging'), await send(ann, 'aging')]
    world.clockOffset = 6 * DAY
    const young = [await send(ann, 'aging'), await send(ann, 'aging'), await send(ann, 'aging')]
    world.clockOffset = 8 * DAY
    const limits = {
      code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
      first_message_id_allowed_to_move: young[0],
      total_messages_allowed_to_move: 3,
      total_messages_in_topic: 5,
    }
    const msg = 'You only have permission to move the 3/5 most recent messages in this topic.'
    const all = { topic: 'aged', propagate_mode: 'change_all' }
    expectRefusal(await move(ben, young[2]!, all), msg, limits)
    expectRefusal(await move(ben, old[0]!, all), msg, limits)
    expectSuccess(await move(ben, young[0]!, { topic: 'aged', propagate_mode: 'change_later' }))
    expect(await topicOf(ben, 'aging')).toEqual(old)
  })

  it('members of the organization’s group or the channel’s', async () => {
    const id = await send(ann, 'groups')
    await turnRealmSettings(realm, { can_move_messages_between_topics_group: 3 })
    const refusal = "You don't have permission to edit this message"
    expectRefusal(await move(ben, id, { topic: 'groups 2' }), refusal)
    expectSuccess(await move(realm.owner, id, { topic: 'groups 2' }))
    const granted = await buildChannel([ann, ben], {
      can_move_messages_within_channel_group: { direct_members: [ben.id], direct_subgroups: [] },
    })
    const there = await send(realm.owner, 'x', 'hello', granted.name)
    expectSuccess(await move(ben, there, { topic: 'y' }))
    const guest = await buildUser(realm, { role: 600 })
    expectRefusal(await move(guest, there, { topic: 'z' }), 'Invalid message(s)')
    await turnRealmSettings(realm, { can_move_messages_between_topics_group: 7 })
  })

  it('nobody into the empty topic where forbidden, nor out of it where required', async () => {
    const strict = await buildChannel([ann, ben], { topics_policy: 'disable_empty_topic' })
    const id = await send(ann, 'x', 'hello', strict.name)
    const refusal = 'Sending messages to the general chat is not allowed in this channel.'
    for (const topic of ['', 'general chat', '(no topic)']) {
      expectRefusal(await move(ann, id, { topic }), refusal)
    }
    const plain = await buildChannel([ann, ben], { topics_policy: 'empty_topic_only' })
    const there = await send(ann, '', 'hello', plain.name)
    expectRefusal(
      await move(ann, there, { topic: 'x' }),
      'Only the general chat topic is allowed in this channel.',
    )
  })
})

describe('resolving a topic', () => {
  it('renames it with one notice, which undoing within a minute deletes', async () => {
    const carl = await buildUser(realm, { name: 'Carl' })
    expectSuccess(await carl.api.post('/users/me/subscriptions', { subscriptions: [{ name: channel.name }] }))
    const id = await send(ann, 'bug')
    expectSuccess(
      await carl.api.post('/user_topics', { stream_id: channel.id, topic: 'bug', visibility_policy: 3 }),
    )
    const [bens, carls, anns] = [await openQueue(ben), await openQueue(carl), await openQueue(ann)]
    expectSuccess(await move(ann, id, { topic: '✔ bug', propagate_mode: 'change_all' }))
    const resolved = await bens.events()
    expect(resolved.map(({ type }) => type)).toEqual(['update_message', 'message'])
    const notice = resolved[1]!
    expect(notice.message.content).toContain('has marked this topic as resolved.')
    expect(notice.flags).toEqual(['read'])
    const toCarl = await carls.events()
    expect(toCarl.map(({ type }) => type)).toEqual([
      'muted_topics',
      'user_topic',
      'muted_topics',
      'user_topic',
      'update_message',
      'message',
    ])
    expect(toCarl.at(-1)?.flags).toEqual([])
    expect((await anns.eventsOf('message'))[0]?.flags).toEqual(['read'])
    expect((await fetchMessage(ben, notice.message.id)).flags).toEqual(['read'])
    expect((await fetchMessage(carl, notice.message.id)).flags).toEqual([])
    const { snapshot } = await openQueue(carl)
    expect(JSON.stringify(snapshot.unread_msgs.streams)).toContain(String(notice.message.id))
    expect(await fetchMessage(ben, id)).not.toHaveProperty('last_moved_timestamp')

    world.clockOffset = 50
    expectSuccess(await move(ben, id, { topic: 'bug', propagate_mode: 'change_all' }))
    const undone = await bens.events()
    expect(undone.map(({ type }) => type)).toEqual(['update_message', 'delete_message'])
    expect(undone[1]).toMatchObject({ message_ids: [notice.message.id], topic: 'bug' })
    expect(await topicOf(ben, 'bug')).toEqual([id])

    world.clockOffset = 120
    expectSuccess(await move(ben, id, { topic: '✔ bug', propagate_mode: 'change_all' }))
    world.clockOffset = 190
    expectSuccess(await move(ben, id, { topic: 'bug', propagate_mode: 'change_all' }))
    expect(await topicOf(ben, 'bug')).toEqual([
      id,
      `${mention(ben)} has marked this topic as resolved.`,
      `${mention(ben)} has marked this topic as unresolved.`,
    ])
  })

  it('creates a notice that can be marked unread and read again', async () => {
    const id = await send(ann, 'again')
    const bens = await openQueue(ben)
    expectSuccess(await move(ann, id, { topic: '✔ again', propagate_mode: 'change_all' }))
    const notice = (await bens.eventsOf('message'))[0]?.message.id
    const change = (op: string) => ben.api.post('/messages/flags', { messages: [notice], op, flag: 'read' })
    expect(expectSuccess(await change('remove')).messages).toEqual([notice])
    expect((await fetchMessage(ben, notice)).flags).toEqual([])
    expect(expectSuccess(await change('add')).messages).toEqual([notice])
    expect((await fetchMessage(ben, notice)).flags).toEqual(['read'])
  })

  it('has no time limit, and its own permission', async () => {
    const id = await send(ann, 'late')
    world.clockOffset = 30 * DAY
    expectSuccess(await move(ben, id, { topic: '✔ late', propagate_mode: 'change_all' }))
    await turnRealmSettings(realm, { can_resolve_topics_group: 3 })
    const refusal = "You don't have permission to resolve topics in this channel."
    expectRefusal(await move(ben, id, { topic: 'late', propagate_mode: 'change_all' }), refusal)
    expectSuccess(await move(realm.owner, id, { topic: 'late', propagate_mode: 'change_all' }))
    await turnRealmSettings(realm, { can_resolve_topics_group: 7 })
  })
})

describe('users’ policies for a topic', () => {
  const policy = (user: TestUser, topic: string, visibility_policy: number) =>
    user.api.post('/user_topics', { stream_id: channel.id, topic, visibility_policy })

  async function policies(user: TestUser): Promise<Record<string, number>> {
    const { snapshot } = await openQueue(user, { fetch_event_types: ['user_topic'] })
    return Object.fromEntries(
      snapshot.user_topics.map((one: { topic_name: string; visibility_policy: number }) => [
        one.topic_name,
        one.visibility_policy,
      ]),
    )
  }

  it('move with the whole topic, with an event for the old and the new name', async () => {
    const id = await send(ann, 'wanted')
    expectSuccess(await policy(ben, 'wanted', 1))
    const bens = await openQueue(ben, { event_types: ['user_topic', 'update_message'] })
    expectSuccess(await move(ann, id, { topic: 'wanted 2' }))
    const events = await bens.events()
    expect(events.map(({ type }) => type)).toEqual(['user_topic', 'user_topic', 'update_message'])
    expect(events[0]).toMatchObject({ topic_name: 'wanted', visibility_policy: 0 })
    expect(events[1]).toMatchObject({ topic_name: 'wanted 2', visibility_policy: 1 })
    expect(await policies(ben)).toMatchObject({ 'wanted 2': 1 })
  })

  it('are sent with the name that each client knows the topic by', async () => {
    const id = await send(ann, 'SPELLED by Ann')
    expectSuccess(await policy(ben, 'spelled by ann', 3))
    const bens = await openQueue(ben, { event_types: ['user_topic', 'muted_topics'] })
    expectSuccess(await move(ann, id, { topic: 'spelled anew' }))
    expect(await bens.eventsOf('user_topic')).toMatchObject([
      { topic_name: 'spelled by ann', visibility_policy: 0 },
      { topic_name: 'spelled anew', visibility_policy: 3 },
    ])
  })

  it('of several users each move with their own events', async () => {
    const carl = await buildUser(realm, { name: 'Carl' })
    expectSuccess(await carl.api.post('/users/me/subscriptions', { subscriptions: [{ name: channel.name }] }))
    const id = await send(ann, 'shared')
    const cases: [TestUser, string, number][] = [
      [ann, 'shared', 3],
      [ben, 'SHARED', 3],
      [carl, 'shared', 1],
    ]
    for (const [user, topic, wanted] of cases) expectSuccess(await policy(user, topic, wanted))
    const queues = await Promise.all(cases.map(([user]) => openQueue(user, { event_types: ['user_topic'] })))
    expectSuccess(await move(ben, id, { topic: 'shared 2' }))
    for (const [at, [user, topic, wanted]] of cases.entries()) {
      expect(await queues[at]!.events()).toMatchObject([
        { topic_name: topic, visibility_policy: 0 },
        { topic_name: 'shared 2', visibility_policy: wanted },
      ])
      expect(await policies(user)).toMatchObject({ 'shared 2': wanted })
      expect(await policies(user)).not.toHaveProperty([topic])
    }
  })

  it('stay while some messages of the topic stay', async () => {
    const [id] = [await send(ann, 'kept'), await send(ann, 'kept')]
    expectSuccess(await policy(ben, 'kept', 1))
    const bens = await openQueue(ben)
    expectSuccess(await move(ann, id!, { topic: 'kept 2', send_notification_to_new_thread: false }))
    expect(await typesOf(bens)).toEqual(['update_message'])
    expect(await policies(ben)).toMatchObject({ kept: 1 })
  })

  it('merge into the more visible one if the target has messages', async () => {
    const cases: [old: number, present: number, merged: number | undefined][] = [
      [1, 1, 1],
      [1, 0, undefined],
      [0, 1, undefined],
      [2, 1, 2],
      [1, 2, 2],
      [3, 2, 3],
      [1, 3, 3],
    ]
    for (const [index, [old, present, merged]] of cases.entries()) {
      const [from, to] = [`merge from ${index}`, `merge to ${index}`]
      await send(ann, to)
      const id = await send(ann, from)
      if (old > 0) expectSuccess(await policy(ben, from, old))
      if (present > 0) expectSuccess(await policy(ben, to, present))
      expectSuccess(await move(ann, id, { topic: to }))
      const after = await policies(ben)
      expect([from, after[from], to, after[to]]).toEqual([from, undefined, to, merged])
    }
  })
})
