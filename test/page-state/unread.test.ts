import { describe, expect, it } from 'vitest'
import {
  applyEvents,
  badgeCount,
  beginFetch,
  channelUnread,
  conversationUnread,
  markRead,
  settleWanted,
  shownChannelCount,
  totalUnread,
  unreadIds,
  unreadMentions,
} from '../../web/state/index.ts'
import { unreadConversations, unreadIdsIn } from '../../web/state/unread.ts'
import { buildDirectMessage, buildEvent, buildMessage, buildState, ME, messageEvent, NOW } from './build.ts'

const LUNCH = { kind: 'topic', channelId: 1, topic: 'lunch' } as const

function unreadSnapshot() {
  return buildState({
    unread_msgs: {
      count: 5,
      streams: [
        { stream_id: 1, topic: 'Lunch', unread_message_ids: [20, 21] },
        { stream_id: 2, topic: '', unread_message_ids: [22] },
      ],
      pms: [{ other_user_id: 4, sender_id: 4, unread_message_ids: [23] }],
      huddles: [{ user_ids_string: '4,7,9', unread_message_ids: [24] }],
      mentions: [21],
      old_unreads_missing: false,
    },
  })
}

const mute = (channel: number, value: boolean) =>
  buildEvent('subscription', { op: 'update', stream_id: channel, property: 'is_muted', value })
const policy = (topic: string, visibility_policy: number) =>
  buildEvent('user_topic', { stream_id: 1, topic_name: topic, visibility_policy, last_updated: 1 })
const flag = (op: string, ids: number[], facts = {}) =>
  buildEvent('update_message_flags', { op, flag: 'read', all: false, messages: ids, ...facts })

describe('unread messages', () => {
  it('start as in the snapshot', () => {
    const state = unreadSnapshot()
    expect(totalUnread(state)).toMatchObject({ count: 5, mentionCount: 1 })
    expect(conversationUnread(state, LUNCH)).toMatchObject({ count: 2, mentionCount: 1 })
    expect(conversationUnread(state, { kind: 'direct', peers: [4, 7] }).count).toBe(1)
    expect(unreadIds(state, { kind: 'topic', channelId: 2, topic: '' })).toEqual([22])
  })

  it('are added by messages, and removed when read', () => {
    const state = unreadSnapshot()
    applyEvents(state, [messageEvent(buildMessage(30)), messageEvent(buildDirectMessage(31, [4, ME]))], NOW)
    expect(totalUnread(state).count).toBe(7)
    applyEvents(state, [flag('add', [30, 31, 20])], NOW)
    expect(totalUnread(state).count).toBe(4)
    expect(unreadIds(state, LUNCH)).toEqual([21])
  })

  it('can all be removed at once', () => {
    const state = unreadSnapshot()
    applyEvents(state, [messageEvent(buildMessage(30)), flag('add', [], { all: true })], NOW)
    expect(totalUnread(state)).toMatchObject({ count: 0, mutedCount: 0, mentionCount: 0 })
    expect(state.messages.get(30)?.flags).toEqual(['read'])
  })

  it('return to their conversations when marked unread', () => {
    const state = unreadSnapshot()
    const message_details = {
      40: { type: 'stream', stream_id: 1, topic: 'lunch', unmuted_stream_msg: true, mentioned: true },
      41: { type: 'private', user_ids: [] },
    }
    applyEvents(state, [flag('remove', [40, 41], { message_details })], NOW)
    expect(unreadIds(state, LUNCH)).toEqual([20, 21, 40])
    expect(unreadIds(state, { kind: 'direct', peers: [ME] })).toEqual([41])
    expect(unreadMentions(state)).toEqual([21, 40])
  })

  it('in muted channels and topics do not count, unless the topic is unmuted or followed', () => {
    const state = unreadSnapshot()
    applyEvents(state, [mute(1, true)], NOW)
    expect(totalUnread(state)).toMatchObject({ count: 3, mutedCount: 2 })
    expect(channelUnread(state, 1)).toMatchObject({ count: 0, mutedCount: 2, mentionCount: 1 })
    applyEvents(state, [policy('lunch', 3)], NOW)
    expect(channelUnread(state, 1)).toMatchObject({ count: 2, mutedCount: 0, followedCount: 2 })
    applyEvents(state, [policy('lunch', 1), mute(1, false)], NOW)
    expect(channelUnread(state, 1)).toMatchObject({ count: 0, mutedCount: 2 })
  })

  it('that mention everybody are mentions only where they are not muted', () => {
    const state = unreadSnapshot()
    applyEvents(
      state,
      [messageEvent(buildMessage(30, { flags: ['topic_wildcard_mentioned'] })), mute(1, true)],
      NOW,
    )
    expect(unreadMentions(state)).toEqual([21])
    applyEvents(state, [mute(1, false)], NOW)
    expect(unreadMentions(state)).toEqual([21, 30])
  })

  it('with mentions are reconsidered when muting changes', () => {
    const state = unreadSnapshot()
    applyEvents(state, [mute(1, true)], NOW)
    expect([...state.unread.toLookAt]).toEqual([20, 21])
    const messages = [
      buildMessage(20, { flags: [] }),
      buildMessage(21, { flags: ['stream_wildcard_mentioned'] }),
    ]
    settleWanted(state, beginFetch(state), [20, 21], messages)
    expect([...state.unread.toLookAt]).toEqual([])
    expect(unreadMentions(state)).toEqual([])
  })

  it('follow a move, but not into a channel without subscription', () => {
    const state = unreadSnapshot()
    const move = { stream_id: 1, orig_subject: 'lunch', message_id: 20, flags: [], rendering_only: false }
    applyEvents(
      state,
      [buildEvent('update_message', { ...move, message_ids: [20], subject: 'tea', topic_links: [] })],
      NOW,
    )
    expect(unreadIds(state, { kind: 'topic', channelId: 1, topic: 'TEA' })).toEqual([20])
    applyEvents(state, [buildEvent('update_message', { ...move, message_ids: [21], new_stream_id: 3 })], NOW)
    expect(totalUnread(state).count).toBe(4)
  })

  it('become read history when moved to a channel without subscription', () => {
    const state = buildState()
    applyEvents(state, [messageEvent(buildMessage(30, { stream_id: 1, subject: 'lunch', flags: [] }))], NOW)
    expect(totalUnread(state).count).toBe(1)
    const move = { stream_id: 1, new_stream_id: 3, orig_subject: 'lunch', message_id: 30, message_ids: [30] }
    applyEvents(
      state,
      [buildEvent('update_message', { ...move, flags: ['read'], rendering_only: false })],
      NOW,
    )
    expect(totalUnread(state).count).toBe(0)
    expect(state.messages.get(30)!.flags.toSorted()).toEqual(['historical', 'read'])
  })

  it('are removed with a channel that one leaves', () => {
    const state = unreadSnapshot()
    applyEvents(
      state,
      [buildEvent('subscription', { op: 'remove', subscriptions: [{ stream_id: 1, name: 'channel 1' }] })],
      NOW,
    )
    expect(totalUnread(state)).toMatchObject({ count: 3, mentionCount: 0 })
  })

  it('are marked read locally first, then on the server where they were unread', () => {
    const state = unreadSnapshot()
    applyEvents(state, [messageEvent(buildMessage(30))], NOW)
    expect(markRead(state, [30, 20, 5])).toEqual([[20, 30]])
    expect(markRead(state, [30, 20])).toEqual([])
    expect(state.messages.get(30)?.flags).toEqual(['read'])
  })
})

describe('badges', () => {
  it('of a channel follow the setting', () => {
    const state = unreadSnapshot()
    const shown = (setting: 1 | 2 | 3) => {
      state.settings.web_stream_unreads_count_display_policy = setting
      return shownChannelCount(state, 1)
    }
    expect(([1, 2, 3] as const).map(shown)).toEqual([2, 2, 0])
    applyEvents(state, [mute(1, true)], NOW)
    expect(([1, 2, 3] as const).map(shown)).toEqual([2, 0, 0])
  })

  it('of the window follow the setting', () => {
    const state = unreadSnapshot()
    applyEvents(state, [policy('lunch', 3), messageEvent(buildMessage(30, { subject: 'tea' }))], NOW)
    const shown = (setting: 1 | 2 | 3 | 4) => {
      state.settings.desktop_icon_count_display = setting
      return badgeCount(state)
    }
    expect(([1, 2, 3, 4] as const).map(shown)).toEqual([6, 4, 3, 0])
  })
})

it('a message that was not sent to its reader stays historical when it is starred', () => {
  const state = buildState()
  settleWanted(state, beginFetch(state), [50], [buildMessage(50, { flags: ['read', 'historical'] })])
  const star = (op: string) =>
    buildEvent('update_message_flags', { op, flag: 'starred', all: false, messages: [50] })
  applyEvents(state, [star('add')], NOW)
  expect(state.messages.get(50)!.flags).toEqual(['read', 'historical', 'starred'])
  applyEvents(state, [star('remove')], NOW)
  expect(state.messages.get(50)!.flags).toEqual(['read', 'historical'])
})

describe('unread messages of an archived channel', () => {
  const archive = (value: boolean) =>
    buildEvent('stream', { op: 'update', stream_id: 1, property: 'is_archived', value, name: 'channel 1' })

  it('are in no count and no list, and are there again once the channel is', () => {
    const state = unreadSnapshot()
    const counts = () => ({
      total: totalUnread(state).count,
      mentions: unreadMentions(state),
      channel: channelUnread(state, 1).count,
      shown: shownChannelCount(state, 1),
      topic: conversationUnread(state, LUNCH).count,
      badge: badgeCount(state),
      everything: unreadIdsIn(state, []),
      listed: unreadConversations(state).length,
    })
    const before = counts()
    expect(before).toMatchObject({ total: 5, mentions: [21], channel: 2, topic: 2, listed: 4 })
    const version = state.changes.version('unread')
    applyEvents(state, [archive(true)], NOW)
    expect(state.changes.version('unread')).toBeGreaterThan(version)
    expect(counts()).toEqual({
      total: 3,
      mentions: [],
      channel: 0,
      shown: 0,
      topic: 0,
      badge: 3,
      everything: [22, 23, 24],
      listed: 3,
    })
    applyEvents(state, [archive(false)], NOW)
    expect(counts()).toEqual(before)
  })
})

describe('starred messages', () => {
  it('are forgotten once their channel is gone, also those that were never loaded', () => {
    const state = buildState({ starred_messages: [1, 2, 3] })
    applyEvents(state, [messageEvent(buildMessage(1, { flags: ['read', 'starred'] }))], NOW)
    applyEvents(state, [messageEvent(buildMessage(3, { flags: ['read', 'starred'], stream_id: 2 }))], NOW)
    applyEvents(state, [buildEvent('stream', { op: 'delete', stream_ids: [1] })], NOW)
    expect([...state.starred]).toEqual([2, 3])
    expect([...state.wanted]).toEqual([2])
    settleWanted(state, beginFetch(state), [2], [])
    expect([...state.starred]).toEqual([3])
  })

  it('are looked at when a channel is left, and stay while they can be read', () => {
    const state = buildState({ starred_messages: [1] })
    applyEvents(state, [buildEvent('subscription', { op: 'remove', subscriptions: [{ stream_id: 1 }] })], NOW)
    expect([...state.wanted]).toEqual([1])
    settleWanted(state, beginFetch(state), [1], [buildMessage(1, { flags: ['read', 'starred'] })])
    expect([...state.starred]).toEqual([1])
  })
})
