import { describe, expect, it } from 'vitest'
import {
  applyEvents,
  beginFetch,
  type ChatState,
  channelNarrow,
  completePeople,
  createState,
  type Snapshot,
  settleAround,
  topicNarrow,
  totalUnread,
  type WireEvent,
  windowOf,
} from '../../web/state/index.ts'
import { needs } from '../support/needs.ts'
import {
  buildEvent,
  buildMessage,
  buildSnapshot,
  buildSubscription,
  buildUser,
  ME,
  messageEvent,
  NOW,
} from './build.ts'

const USERS = 10_000
const CHANNELS = 500
const TOPICS = 6
const UNREAD = 50_000
const KNOWN = 2_000

const range = (length: number) => Array.from({ length }, (_, index) => index + 1)

function largeSnapshot(): Snapshot {
  const subscriptions = range(CHANNELS / 2).map((id) => buildSubscription(id))
  const never_subscribed = range(CHANNELS / 2).map((id) => buildSubscription(CHANNELS / 2 + id))
  const perTopic = UNREAD / (subscriptions.length * TOPICS)
  let next = 100_000
  const streams = subscriptions.flatMap(({ stream_id }) =>
    range(TOPICS).map((topic) => {
      const unread_message_ids = range(Math.round(perTopic)).map(() => ++next)
      return { stream_id, topic: `topic ${topic}`, unread_message_ids }
    }),
  )
  return buildSnapshot({
    realm_users: range(USERS).map((id) => buildUser(id)),
    realm_user_groups: [
      {
        id: 6,
        name: 'role:members',
        description: '',
        creator_id: null,
        date_created: null,
        members: range(USERS),
        direct_subgroup_ids: [],
        is_system_group: true,
        deactivated: false,
        can_add_members_group: 1,
        can_join_group: 1,
        can_leave_group: 1,
        can_manage_group: 1,
        can_mention_group: 1,
        can_remove_members_group: 1,
      },
    ],
    subscriptions,
    never_subscribed,
    streams: [...subscriptions, ...never_subscribed].map((one) => ({ ...one })),
    unread_msgs: { count: UNREAD, pms: [], huddles: [], streams, mentions: [], old_unreads_missing: true },
    presences: Object.fromEntries(
      range(USERS / 4).map((id) => [id, { active_timestamp: NOW / 1_000, idle_timestamp: 0 }]),
    ),
  })
}

/** A map that counts the entries visited by iterations; look-ups by key do not count. */
class CountedMap<K, V> extends Map<K, V> {
  static visits = 0

  override *values(): MapIterator<V> {
    for (const [, value] of super.entries()) {
      CountedMap.visits += 1
      yield value
    }
  }

  override *keys(): MapIterator<K> {
    for (const [key] of super.entries()) {
      CountedMap.visits += 1
      yield key
    }
  }

  override *[Symbol.iterator](): MapIterator<[K, V]> {
    for (const entry of super.entries()) {
      CountedMap.visits += 1
      yield entry
    }
  }
}

function counted(state: ChatState): ChatState {
  const wrap = <K, V>(map: Map<K, V>) => new CountedMap(map.entries())
  const unread = {
    ...state.unread,
    byId: wrap(state.unread.byId),
    conversations: wrap(state.unread.conversations),
    channels: wrap(state.unread.channels),
  }
  return Object.assign(state, {
    users: wrap(state.users),
    channels: wrap(state.channels),
    presences: wrap(state.presences),
    messages: wrap(state.messages),
    unread,
  })
}

function largeState(): ChatState {
  const state = createState(largeSnapshot())
  const messages = range(KNOWN).map((id) =>
    buildMessage(id, { subject: `topic ${1 + (id % TOPICS)}`, flags: ['read'], sender_id: 1 + (id % 50) }),
  )
  for (const narrow of [[], channelNarrow(1), topicNarrow(1, 'topic 1')]) {
    const found = narrow.length === 2 ? messages.filter(({ subject }) => subject === 'topic 1') : messages
    const answer = { messages: found, found_oldest: true, found_newest: true }
    settleAround(state, windowOf(state, narrow), beginFetch(state), answer)
  }
  return state
}

const update = {
  message_ids: [KNOWN],
  message_id: KNOWN,
  flags: ['read'],
  rendering_only: false,
  stream_id: 1,
}

/** Frequent events, one of each type, each with the maximum of entries of the state that it may visit. */
const EVENTS: readonly [name: string, maxVisits: number, make: (turn: number) => WireEvent][] = [
  ['message', 0, (turn) => messageEvent(buildMessage(200_000 + turn, { subject: 'topic 1' }))],
  [
    'message in a new topic',
    0,
    (turn) => messageEvent(buildMessage(300_000 + turn, { subject: `new ${turn}` })),
  ],
  ['edit', 0, () => buildEvent('update_message', { ...update, rendered_content: '<p>new</p>' })],
  [
    'move of one message',
    // Entries are the messages of the topic that the message leaves, if it was the newest there.
    2 * KNOWN + 100,
    (turn) =>
      buildEvent('update_message', {
        ...update,
        orig_subject: turn % 2 === 0 ? 'topic 3' : 'other',
        subject: turn % 2 === 0 ? 'other' : 'topic 3',
        topic_links: [],
      }),
  ],
  [
    'reaction',
    0,
    (turn) =>
      buildEvent('reaction', {
        op: turn % 2 === 0 ? 'add' : 'remove',
        message_id: 5,
        user_id: 4,
        emoji_name: 'tada',
        emoji_code: '1f389',
        reaction_type: 'unicode_emoji',
      }),
  ],
  [
    'one read message',
    0,
    (turn) =>
      buildEvent('update_message_flags', { op: 'add', flag: 'read', all: false, messages: [100_001 + turn] }),
  ],
  ['presence', 0, (turn) => buildEvent('presence', { presences: { [1 + turn]: { active_timestamp: 1 } } })],
  [
    'a name',
    0,
    (turn) => buildEvent('realm_user', { op: 'update', person: { user_id: 77, full_name: `Name ${turn}` } }),
  ],
  [
    'a new member of a large group',
    0,
    (turn) => buildEvent('user_group', { op: 'add_members', group_id: 6, user_ids: [USERS + turn] }),
  ],
  ['a subscriber', 0, () => buildEvent('subscription', { op: 'peer_add', stream_ids: [1], user_ids: [8] })],
  [
    'a followed topic',
    // Entries are the unread messages of its channel.
    0,
    (turn) =>
      buildEvent('user_topic', {
        stream_id: 2,
        topic_name: 'topic 1',
        visibility_policy: turn % 2 === 0 ? 3 : 0,
        last_updated: 1,
      }),
  ],
  [
    'typing',
    0,
    (turn) =>
      buildEvent('typing', {
        op: turn % 2 === 0 ? 'start' : 'stop',
        message_type: 'direct',
        sender: { user_id: 4 },
        recipients: [{ user_id: 4 }, { user_id: ME }],
      }),
  ],
]

describe(`in an organization of ${USERS} people, ${CHANNELS} channels and ${UNREAD} unread messages`, () => {
  it('an event costs work only for what it concerns', () => {
    const state = counted(largeState())
    const visits = EVENTS.map(([name, most, make]) => {
      CountedMap.visits = 0
      applyEvents(state, [make(0)], NOW)
      return CountedMap.visits > most ? `${name}: ${CountedMap.visits}` : undefined
    })
    expect(visits.filter((one) => one !== undefined)).toEqual([])
  })

  it('an event changes a handful of slices', () => {
    const state = largeState()
    let touched = 0
    state.changes.listen((slices) => {
      touched = slices.size
    })
    const numbers = EVENTS.map(([name, , make]) => {
      touched = 0
      applyEvents(state, [make(0)], NOW)
      return touched > 15 ? `${name}: ${touched}` : undefined
    })
    expect(numbers.filter((one) => one !== undefined)).toEqual([])
  })

  it('all of it can be marked as read at once', () => {
    const state = largeState()
    applyEvents(
      state,
      [buildEvent('update_message_flags', { op: 'add', flag: 'read', all: true, messages: [] })],
      NOW,
    )
    expect(totalUnread(state)).toMatchObject({ count: 0, mutedCount: 0 })
  })

  it.runIf(process.env.TIMES)(
    'its durations in milliseconds are printed',
    needs('TIMES=yes: it measures, and holds nothing'),
    () => {
      const times: Record<string, number> = {}
      const measure = (name: string, rounds: number, act: (turn: number) => void) => {
        const from = performance.now()
        for (let turn = 0; turn < rounds; turn += 1) act(turn)
        times[name] = Math.round(((performance.now() - from) / rounds) * 1_000) / 1_000
      }
      const snapshots = range(5).map(largeSnapshot)
      measure('state from a snapshot', 5, (turn) => createState(snapshots[turn]!))
      const state = largeState()
      for (const [name, , make] of EVENTS) measure(name, 200, (turn) => applyEvents(state, [make(turn)], NOW))
      measure('counting all unread', 50, () => totalUnread(state))
      measure('completing a name', 50, (turn) => completePeople(state, `person ${turn}`))
      console.log(times)
    },
  )
})
