import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ParameterValue } from '../../support/api.ts'
import { evictRealm } from '../../support/api.ts'
import { buildChannel, buildUser, expectSuccess, reopen, type TestUser } from '../../support/factories.ts'
import { changeRealm } from '../../support/inside.ts'
import { idsIn } from '../../support/messages.ts'
import { openQueue } from '../../support/queues.ts'
import { turnRealmSettings } from '../../support/realm-settings.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { usePerTest, useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const DAY = 86_400
const PRIVATE = { invite_only: true }
const PROTECTED = { invite_only: true, history_public_to_subscribers: false }

type Channel = { id: number; name: string }

const organization = useRealm({
  /** A user who is subscribed to both channels of each test. */
  both: 'member',
  /** A user who is subscribed to the old channel only. */
  old: 'member',
  /** A user who is subscribed to the target only. */
  fresh: 'member',
  guest: 'guest',
})
const { realm, both, old, fresh, guest } = organization

afterEach(() => {
  world.clockOffset = 0
})

async function send(from: TestUser, to: Channel, content = 'hello', topic = 'topic') {
  const params = { type: 'channel', to: to.name, topic, content }
  return expectSuccess(await from.api.post('/messages', params)).id as number
}

function move(user: TestUser, id: number, to: Channel, params: Record<string, ParameterValue> = {}) {
  return user.api.patch(`/messages/${id}`, {
    stream_id: to.id,
    send_notification_to_new_thread: false,
    ...params,
  })
}

async function flags(user: TestUser, id: number): Promise<string[]> {
  return expectSuccess(await user.api.get(`/messages/${id}`)).message.flags
}

async function unreadIds(user: TestUser): Promise<number[]> {
  const { snapshot } = await openQueue(user, { fetch_event_types: ['message', 'update_message_flags'] })
  return snapshot.unread_msgs.streams.flatMap(
    (one: { unread_message_ids: number[] }) => one.unread_message_ids,
  )
}

describe('moving to another channel', () => {
  const { from, to } = usePerTest(organization, {}, { from: ['both', 'old', 'guest'], to: ['both', 'fresh'] })
  let ids: number[]

  beforeEach(async () => {
    ids = [await send(old, from, 'one'), await send(both, from, 'two'), await send(old, from, 'three')]
  })

  it('notifies subscribers of both channels, who find the messages in the new one', async () => {
    const [boths, olds, freshs] = [await openQueue(both), await openQueue(old), await openQueue(fresh)]
    expectSuccess(await move(both, ids[1]!, to, { propagate_mode: 'change_later' }))
    const facts = {
      user_id: both.id,
      message_id: ids[1],
      message_ids: ids.slice(1),
      stream_id: from.id,
      stream_name: from.name,
      new_stream_id: to.id,
      orig_subject: 'topic',
      propagate_mode: 'change_later',
    }
    for (const queue of [boths, olds, freshs]) {
      const events = await queue.events()
      // The author of the message that is the first there begins the topic.
      const begun = queue === boths ? ['muted_topics', 'user_topic'] : []
      expect(events.map(({ type }) => type)).toEqual(['update_message', ...begun])
      expect(events[0]).toMatchObject(facts)
      expect(events[0]).not.toHaveProperty('subject')
    }
    const narrow = [{ operator: 'channel', operand: to.id }]
    const { messages } = expectSuccess(
      await fresh.api.get('/messages', { anchor: 'newest', num_before: 10, narrow }),
    )
    expect(messages.map((message: { id: number }) => message.id).slice(-2)).toEqual(ids.slice(1))
    expect(messages.at(-1)).toMatchObject({ stream_id: to.id, display_recipient: to.name, subject: 'topic' })
    const { message } = expectSuccess(await old.api.get(`/messages/${ids[2]}`))
    expect(message.edit_history).toEqual([
      { user_id: both.id, timestamp: expect.any(Number), prev_stream: from.id, stream: to.id },
    ])
  })

  it('keeps each message’s spelling of the topic, whatever the target’s is', async () => {
    ids.push(await send(both, from, 'four', 'Topic'))
    const there = await send(both, to, 'there', 'TOPIC')
    const boths = await openQueue(both)
    expectSuccess(await move(both, ids[0]!, to, { propagate_mode: 'change_all' }))
    expect((await boths.eventsOf('update_message'))[0]).toMatchObject({
      message_ids: ids,
      orig_subject: 'topic',
    })
    const narrow = [
      { operator: 'channel', operand: to.id },
      { operator: 'topic', operand: 'tOPIC' },
    ]
    const params = { anchor: 'oldest', num_after: 10, narrow }
    for (const reader of [both, fresh]) {
      const { messages } = expectSuccess(await reader.api.get('/messages', params))
      const found = messages.map((one: { id: number; subject: string }) => [one.id, one.subject])
      expect(found).toEqual([
        ...ids.slice(0, 3).map((id) => [id, 'topic']),
        [ids[3], 'Topic'],
        [there, 'TOPIC'],
      ])
    }
  })

  it('can change the topic too, with a notice in both topics', async () => {
    const params = {
      topic: 'other',
      propagate_mode: 'change_all',
      send_notification_to_new_thread: true,
      send_notification_to_old_thread: true,
    }
    const boths = await openQueue(both)
    expectSuccess(await move(both, ids[0]!, to, params))
    const events = await boths.events()
    expect(events.map(({ type }) => type)).toEqual(['update_message', 'message', 'message'])
    expect(events[0]).toMatchObject({ orig_subject: 'topic', subject: 'other', new_stream_id: to.id })
    const by = `by @_**Both|${both.id}**.`
    const texts = events.slice(1).map(({ message }) => [message.stream_id, message.subject, message.content])
    const rendered = (text: string) => text.replace(/<[^>]+>/g, '').replaceAll('&gt;', '>')
    expect(texts.map(([where, topic, content]) => [where, topic, rendered(content)])).toEqual([
      [
        to.id,
        'other',
        `This topic was moved here from #${from.name} > topic ${by.replace(/@_\*\*(\w+)\|\d+\*\*/, '$1')}`,
      ],
      [
        from.id,
        'topic',
        `This topic was moved to #${to.name} > other ${by.replace(/@_\*\*(\w+)\|\d+\*\*/, '$1')}`,
      ],
    ])
  })

  it('keeps unread flags, and removes stars of users who lose access', async () => {
    expectSuccess(await both.api.post('/messages/flags', { messages: [ids[0]], op: 'add', flag: 'read' }))
    for (const user of [both, old]) {
      expectSuccess(
        await user.api.post('/messages/flags', { messages: [ids[2]], op: 'add', flag: 'starred' }),
      )
    }
    expectSuccess(await move(both, ids[0]!, to, { propagate_mode: 'change_all' }))
    await evictRealm(realm.id)
    expect(await flags(both, ids[0]!)).toEqual(['read'])
    expect(await flags(both, ids[2]!)).toEqual(['starred'])
    expect(await unreadIds(both)).toContain(ids[2])
    // This user was subscribed to the target all the time, but the message was never sent to them.
    expect(await flags(fresh, ids[2]!)).toEqual(['read', 'historical'])
    expect(await unreadIds(fresh)).not.toContain(ids[2])
    // This user is not subscribed to the target: no record of the message is left, not even the star.
    expect(await flags(old, ids[2]!)).toEqual(['read', 'historical'])
    expect(await unreadIds(old)).not.toContain(ids[2])
    const { snapshot } = await openQueue(old, { fetch_event_types: ['starred_messages'] })
    expect(snapshot.starred_messages).not.toContain(ids[2])
  })

  it('changes no flags of messages that were in the target already', async () => {
    const own = [await send(fresh, to)]
    const coming = [await send(old, from, 'a')]
    own.push(await send(fresh, to))
    coming.push(await send(old, from, 'b'), await send(old, from, 'c'))
    own.push(await send(fresh, to))
    expectSuccess(await move(both, coming[0]!, to, { propagate_mode: 'change_later' }))
    for (const id of own) expect(await flags(both, id)).toEqual([])
    for (const id of coming) {
      expect(await flags(both, id)).toEqual([])
      expect(await flags(fresh, id)).toEqual(['read', 'historical'])
    }
    expect(await unreadIds(both)).toEqual(expect.arrayContaining([...own, ...coming]))
    for (const id of coming) expect(await unreadIds(fresh)).not.toContain(id)
    const next = await send(fresh, to)
    expect(await flags(both, next)).toEqual([])
  })

  it('and back again leaves the messages to users subscribed to both throughout', async () => {
    expectSuccess(await move(both, ids[0]!, to, { propagate_mode: 'change_all' }))
    expectSuccess(await move(both, ids[0]!, from, { propagate_mode: 'change_all' }))
    expect(await flags(both, ids[2]!)).toEqual([])
    expect(await flags(old, ids[2]!)).toEqual(['read', 'historical'])
    expect(await flags(fresh, ids[2]!)).toEqual(['read', 'historical'])
    const next = await send(both, from, 'next')
    expect(await flags(old, next)).toEqual([])
  })

  it('is a deletion for guests and non-subscribers who cannot see the target', async () => {
    const [guests, olds] = [await openQueue(guest), await openQueue(old)]
    expectSuccess(await move(both, ids[2]!, to))
    expect(await guests.events()).toMatchObject([
      {
        type: 'delete_message',
        message_type: 'stream',
        message_ids: [ids[2]],
        stream_id: from.id,
        topic: 'topic',
      },
    ])
    expect(await olds.eventsOf('delete_message')).toEqual([])
    const secret = await buildChannel([both], PRIVATE)
    expectSuccess(await move(both, ids[0]!, secret, { propagate_mode: 'change_later' }))
    expect((await olds.events())[0]).toMatchObject({ type: 'delete_message', message_ids: ids.slice(0, 2) })
    expect((await old.api.get(`/messages/${ids[0]}`)).body.msg).toBe('Invalid message(s)')
    expect((await guest.api.get(`/messages/${ids[2]}`)).body.msg).toBe('Invalid message(s)')
    expect(await flags(both, ids[0]!)).toEqual([])
  })

  it('emits nothing to guests of the target who could not see the topic', async () => {
    const visited = await buildChannel([both, guest])
    const unseen = await buildChannel([both])
    const id = await send(both, unseen)
    const guests = await openQueue(guest)
    expectSuccess(await move(both, id, visited))
    expect(await guests.events()).toEqual([])
    expect(await flags(guest, id)).toEqual(['read', 'historical'])
  })

  it('moves users’ topic policies along, except of those who lose access', async () => {
    const secret = await buildChannel([both], PRIVATE)
    for (const user of [both, old]) {
      const params = { stream_id: from.id, topic: 'topic', visibility_policy: 3 }
      expectSuccess(await user.api.post('/user_topics', params))
    }
    const [boths, olds] = [
      await openQueue(both, { event_types: ['user_topic'] }),
      await openQueue(old, { event_types: ['user_topic'] }),
    ]
    expectSuccess(await move(both, ids[0]!, secret, { propagate_mode: 'change_all' }))
    const gone = { stream_id: from.id, topic_name: 'topic', visibility_policy: 0 }
    expect(await boths.events()).toMatchObject([
      gone,
      { stream_id: secret.id, topic_name: 'topic', visibility_policy: 3 },
    ])
    const toOld = await olds.events()
    expect(toOld).toHaveLength(1)
    expect(toOld[0]).toMatchObject(gone)
  })

  it('marks an inactive target channel as active again', async () => {
    await changeRealm(realm, ({ sql }) =>
      sql.run('UPDATE channel SET is_recently_active = 0 WHERE id = ?', to.id),
    )
    const freshs = await openQueue(fresh)
    expectSuccess(await move(both, ids[0]!, to))
    const events = await freshs.events()
    expect(events.map(({ type }) => type)).toEqual(['update_message', 'stream'])
    expect(events[1]).toMatchObject({ stream_id: to.id, property: 'is_recently_active', value: true })
  })

  it('to the present channel is none: refused alone, within the channel with a topic', async () => {
    const boths = await openQueue(both, { event_types: ['update_message', 'message'] })
    expectRefusal(await move(both, ids[0]!, from), 'Nothing to change')
    const same = { topic: 'topic', propagate_mode: 'change_all' }
    expectRefusal(await move(both, ids[0]!, from, same), 'Nothing to change')
    await turnRealmSettings(realm, { can_move_messages_between_channels_group: 3 })
    expectSuccess(await move(old, ids[0]!, from, { topic: 'other' }))
    expectSuccess(await move(old, ids[1]!, from, { topic: '✔ topic', propagate_mode: 'change_later' }))
    const [moved, resolved, notice] = await boths.events()
    expect(moved).toMatchObject({ message_ids: [ids[0]], orig_subject: 'topic', subject: 'other' })
    expect(resolved).toMatchObject({ message_ids: ids.slice(1), subject: '✔ topic' })
    for (const event of [moved, resolved]) expect(event).not.toHaveProperty('new_stream_id')
    expect(notice!.message.content).toContain('has marked this topic as resolved')
    await turnRealmSettings(realm, { can_move_messages_between_topics_group: 3 })
    const third = await move(old, ids[0]!, from, { topic: 'third' })
    expectRefusal(third, "You don't have permission to edit this message")
    const former = { can_move_messages_between_channels_group: 6, can_move_messages_between_topics_group: 7 }
    await turnRealmSettings(realm, former)
  })
})

describe('a message marked as unread', () => {
  it('is read once it moves out of reach, even if it comes back', async () => {
    const [from, elsewhere] = [await buildChannel([both, old]), await buildChannel([both])]
    const id = await send(both, from)
    expectSuccess(await old.api.post('/mark_all_as_read'))
    expectSuccess(await old.api.post('/messages/flags', { messages: [id], op: 'remove', flag: 'read' }))
    expect(await unreadIds(old)).toEqual([id])
    expectSuccess(await move(both, id, elsewhere))
    expectSuccess(await move(both, id, from))
    expect(await flags(old, id)).toEqual(['read', 'historical'])
    expect(await unreadIds(old)).toEqual([])
  })
})

describe('a user who keeps a message without being subscribed', () => {
  it('gets the event with the new channel if they received it before leaving', async () => {
    const [from, open] = [await buildChannel([both, old]), await buildChannel([both])]
    const ids = [await send(both, from, 'one'), await send(both, from, 'two')]
    expectSuccess(await old.api.delete('/users/me/subscriptions', { subscriptions: [from.name] }))
    const later = await send(both, from, 'three')
    const queue = await openQueue(old)
    expectSuccess(await move(both, later, open))
    expectSuccess(await move(both, ids[0]!, open, { propagate_mode: 'change_all' }))
    expect(await queue.eventsOf('update_message')).toMatchObject([
      { message_ids: ids, stream_id: from.id, new_stream_id: open.id },
    ])
  })

  it('gets the move, or a deletion where they lose access', async () => {
    const from = await buildChannel([both, old])
    const open = await buildChannel([both])
    const closed = await buildChannel([both], PRIVATE)
    const keep = async (id: number) =>
      expectSuccess(await fresh.api.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' }))
    const [first, second] = [await send(old, from, 'one', 'a'), await send(old, from, 'two', 'b')]
    // The message that the user keeps may be another than the one by which the topic is moved.
    const kept = await send(old, from, 'three', 'a')
    for (const id of [kept, second]) await keep(id)
    const queue = await openQueue(fresh)
    const all = { propagate_mode: 'change_all' }
    expectSuccess(await move(both, first, open, all))
    expectSuccess(await move(both, second, closed, all))
    expect(await queue.events()).toMatchObject([
      { type: 'update_message', message_ids: [first, kept], new_stream_id: open.id },
      { type: 'delete_message', message_ids: [second] },
    ])
    const { starred_messages } = (await openQueue(fresh)).snapshot
    for (const id of [kept, second]) expect(starred_messages).not.toContain(id)
    expect(await flags(fresh, kept)).toEqual(['read', 'historical'])
  })
})

describe('protected history', () => {
  it('gives moved-in messages, as read, to present subscribers, and to no later ones', async () => {
    const from = await buildChannel([both, old])
    const target = await buildChannel([both, fresh], PROTECTED)
    const ids = [await send(old, from), await send(old, from, 'hello', 'Topic')]
    expectSuccess(await move(both, ids[0]!, target, { propagate_mode: 'change_all' }))
    await evictRealm(realm.id)
    expect(await flags(fresh, ids[0]!)).toEqual(['read'])
    expect(await flags(both, ids[0]!)).toEqual([])
    const late = await buildUser(realm)
    expectSuccess(
      await both.api.post('/users/me/subscriptions', {
        subscriptions: [{ name: target.name }],
        principals: [late.id],
      }),
    )
    expect((await late.api.get(`/messages/${ids[0]}`)).body.msg).toBe('Invalid message(s)')
    // A user who unsubscribes and subscribes again still has the messages that they had.
    expectSuccess(await fresh.api.delete('/users/me/subscriptions', { subscriptions: [target.name] }))
    expect((await fresh.api.get(`/messages/${ids[1]}`)).body.msg).toBe('Invalid message(s)')
    expectSuccess(
      await both.api.post('/users/me/subscriptions', {
        subscriptions: [{ name: target.name }],
        principals: [fresh.id],
      }),
    )
    expect(await flags(fresh, ids[1]!)).toEqual(['read'])
  })

  it('gives moved-in messages without their wildcard mentions, until they are edited', async () => {
    const from = await buildChannel([both, old])
    const target = await buildChannel([both, fresh], PROTECTED)
    const id = await send(both, from, '@**all** hear')
    expectSuccess(await move(both, id, target))
    const called = ['stream_wildcard_mentioned', 'wildcard_mentioned']
    expect(await flags(both, id)).toEqual(called)
    expect(await flags(fresh, id)).toEqual(['read'])
    const narrow = [{ operator: 'is', operand: 'mentioned' }]
    expect(await idsIn(both, narrow)).toContain(id)
    expect(await idsIn(fresh, narrow)).not.toContain(id)
    expectSuccess(await fresh.api.post('/messages/flags', { messages: [id], op: 'remove', flag: 'read' }))
    const { unread_msgs } = (await openQueue(fresh)).snapshot
    expect(unread_msgs.mentions).not.toContain(id)
    // An edit that repeats the mention mentions everybody who has the message.
    expectSuccess(await both.api.patch(`/messages/${id}`, { content: '@**all** hear again' }))
    expect(await flags(fresh, id)).toEqual(called)
  })

  it('lets a deactivated subscriber keep what moves out and get what moves in', async () => {
    const from = await buildChannel([both, old])
    const target = await buildChannel([both, fresh], PROTECTED)
    const back = await buildChannel([both])
    const closed = await buildUser(realm)
    for (const { name } of [from, target]) {
      const subscriptions = [{ name }]
      const principals = [closed.id]
      expectSuccess(await both.api.post('/users/me/subscriptions', { subscriptions, principals }))
    }
    const received = await send(old, from, 'received')
    expectSuccess(await realm.owner.api.delete(`/users/${closed.id}`))
    const meanwhile = await send(old, from, 'meanwhile', 'other')
    const taken = await send(old, from, 'taken away', 'third')
    for (const id of [received, meanwhile, taken]) expectSuccess(await move(both, id, target))
    expectSuccess(await move(both, taken, back))
    await evictRealm(realm.id)
    const reopened = await reopen(realm, closed)
    expect(await flags(reopened, received)).toEqual([])
    expect(await flags(reopened, meanwhile)).toEqual(['read'])
    expect(await flags(reopened, taken)).toEqual(['read', 'historical'])
    expect(await unreadIds(reopened)).toEqual([received])
    const sinceThen = await send(both, target, 'since then')
    expect(await unreadIds(reopened)).toEqual([received, sinceThen])
  })

  it('lets only messages that the mover can access be counted and moved', async () => {
    const hidden = await buildChannel([both, old], PROTECTED)
    const unseen = [await send(old, hidden), await send(both, hidden)]
    expectSuccess(
      await both.api.post('/users/me/subscriptions', {
        subscriptions: [{ name: hidden.name }],
        principals: [fresh.id],
      }),
    )
    const seen = [await send(old, hidden), await send(both, hidden)]
    const freshs = await openQueue(fresh)
    const params = { topic: 'mine', propagate_mode: 'change_all', send_notification_to_new_thread: false }
    expectSuccess(await fresh.api.patch(`/messages/${seen[1]}`, params))
    expect((await freshs.events())[0]).toMatchObject({ message_ids: seen })
    expect((await fresh.api.patch(`/messages/${unseen[0]}`, params)).body.msg).toBe('Invalid message(s)')
    const narrow = [
      { operator: 'channel', operand: hidden.id },
      { operator: 'topic', operand: 'topic' },
    ]
    const { messages } = expectSuccess(
      await old.api.get('/messages', { anchor: 'newest', num_before: 10, narrow }),
    )
    expect(messages.map((message: { id: number }) => message.id)).toEqual(unseen)
  })
})

describe('who may move to another channel', () => {
  it('members within a week, guests never, moderators always', async () => {
    const from = await buildChannel([both, old, guest])
    const to = await buildChannel([both, fresh, guest])
    const id = await send(old, from)
    expectRefusal(await move(guest, id, to), "You don't have permission to move this message")
    world.clockOffset = 7 * DAY + 30
    expectRefusal(await move(old, id, to), "The time limit for editing this message's channel has passed", {
      code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
      first_message_id_allowed_to_move: null,
      total_messages_in_topic: 1,
      total_messages_allowed_to_move: 0,
    })
    expectSuccess(await move(realm.owner, id, to))
    const recent = await send(old, from)
    world.clockOffset += 7 * DAY
    expectSuccess(await move(old, recent, to))
  })

  it('members of the group of the organization, or of the old channel', async () => {
    const from = await buildChannel([both, old])
    const to = await buildChannel([both])
    const id = await send(old, from)
    await turnRealmSettings(realm, { can_move_messages_between_channels_group: 3 })
    expectRefusal(await move(old, id, to), "You don't have permission to move this message")
    // Its creator administers the old channel.
    expectSuccess(await move(both, id, to))
    const granting = await buildChannel([both, old], {
      can_move_messages_out_of_channel_group: { direct_members: [old.id], direct_subgroups: [] },
    })
    expectSuccess(await move(old, await send(both, granting), to))
    await turnRealmSettings(realm, { can_move_messages_between_channels_group: 6 })
  })

  it('those who may read and post in the target', async () => {
    const from = await buildChannel([both, old])
    const id = await send(old, from)
    const secret = await buildChannel([fresh], PRIVATE)
    for (const target of [secret, { id: 999_999, name: 'none' }]) {
      expectRefusal(await move(old, id, target), 'Invalid channel ID')
    }
    const closed = await buildChannel([both, old], { can_send_message_group: 3 })
    expectRefusal(await move(old, id, closed), 'You do not have permission to post in this channel.')
    expect((await flags(both, id)).length).toBe(0)
  })
})
