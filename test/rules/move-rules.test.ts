import { describe, expect, test } from 'vitest'
import {
  type Move,
  requireChannelMoveInTime,
  requireMayMoveBetweenChannels,
  requireMayMoveBetweenTopics,
  requireMayResolveTopic,
  requireTopicMoveInTime,
  requireWholeTopicInTime,
} from '../../src/rules/move-rules.ts'
import { administrator, bot, guest, member, moderator } from './build-actor.ts'
import { buildChannel, everyone, members, nobody, only, realmPermissions } from './build-facts.ts'
import { refusal, refusalError } from './refusal.ts'

const plain = buildChannel()
const other = buildChannel({ id: 2, name: 'other' })
const within = { from: plain, to: plain }
const led = buildChannel({ settings: { can_administer_channel_group: only(member.id) } })

describe('resolving', () => {
  const closed = realmPermissions({ can_resolve_topics_group: nobody })
  const open = buildChannel({ settings: { can_resolve_topics_group: everyone } })
  test.each([
    ['guest by default', guest, within, realmPermissions(), true],
    ['member without the right', member, within, closed, false],
    ['administrator without the right', administrator, within, closed, false],
    ['granted by the channel', member, { from: open, to: open }, closed, true],
    ['granted by the target', member, { from: plain, to: open }, closed, true],
  ])('%s', (_case, actor, channels, realm, may) => {
    expect(refusal(() => requireMayResolveTopic(actor, channels, realm))).toBe(
      may ? null : "You don't have permission to resolve topics in this channel.",
    )
  })
})

describe('moving between topics', () => {
  const closed = realmPermissions({ can_move_messages_between_topics_group: nobody })
  const open = buildChannel({ settings: { can_move_messages_within_channel_group: members } })
  test.each([
    ['guest by default', guest, within, realmPermissions(), true],
    ['member without the right', member, within, closed, false],
    ['moderator without the right', moderator, within, closed, false],
    ['administrator without the right', administrator, within, closed, true],
    ['channel administrator', member, { from: led, to: led }, closed, true],
    ['granted by the channel', member, { from: open, to: open }, closed, true],
    ['granted by the target', member, { from: plain, to: open }, closed, true],
    ['guest, channel grants members', guest, { from: open, to: open }, closed, false],
  ])('%s', (_case, actor, channels, realm, may) => {
    expect(refusal(() => requireMayMoveBetweenTopics(actor, channels, realm))).toBe(
      may ? null : "You don't have permission to edit this message",
    )
  })
})

describe('moving between channels', () => {
  const closed = realmPermissions({ can_move_messages_between_channels_group: nobody })
  const open = buildChannel({ settings: { can_move_messages_out_of_channel_group: everyone } })
  const noPost = buildChannel({ id: 2, settings: { can_send_message_group: nobody } })
  const denied = "You don't have permission to move this message"
  const mayNotPost = 'You do not have permission to post in this channel.'
  test.each([
    ['member by default', member, plain, other, false, realmPermissions(), null],
    ['bot by default', bot, plain, other, false, realmPermissions(), null],
    ['guest by default', guest, plain, other, true, realmPermissions(), denied],
    ['member without the right', member, plain, other, true, closed, denied],
    ['administrator without the right', administrator, plain, other, false, closed, null],
    ["the old channel's administrator", member, led, other, false, closed, null],
    ["the target's administrator only", member, other, led, false, closed, denied],
    ['granted by the old channel', member, open, other, false, closed, null],
    ['granted by the target only', member, other, open, false, closed, denied],
    ['a guest granted by the old channel, subscribed to the target', guest, open, other, true, closed, null],
    ['may not post in the target', member, plain, noPost, true, realmPermissions(), mayNotPost],
    ['the same as an administrator', administrator, plain, noPost, true, realmPermissions(), mayNotPost],
    [
      'not subscribed to a private target',
      administrator,
      plain,
      buildChannel({ id: 2, isPrivate: true }),
      false,
      realmPermissions(),
      mayNotPost,
    ],
  ])('%s', (_case, actor, from, to, isSubscribed, realm, expected) => {
    expect(refusal(() => requireMayMoveBetweenChannels(actor, { from, to }, isSubscribed, realm))).toBe(
      expected,
    )
  })
})

describe('time limits', () => {
  /** Two days for topics, one day for channels. */
  const limits = {
    move_messages_within_stream_limit_seconds: 172_800,
    move_messages_between_streams_limit_seconds: 86_400,
  }
  const none = {
    move_messages_within_stream_limit_seconds: null,
    move_messages_between_streams_limit_seconds: null,
  }
  /** Ids and ages of the messages of the topic that the actor can access. */
  const topic: [number, number][] = [
    [11, 200_000],
    [12, 100_000],
    [13, 1000],
  ]
  function buildMove(change: Partial<Move> = {}): Move {
    return {
      propagateMode: 'change_one',
      changesTopic: true,
      changesChannel: false,
      messageAgeSeconds: 1000,
      countTopic: (maxAge) => {
        const allowed = topic.filter(([, age]) => age <= maxAge).map(([id]) => id)
        return { total: topic.length, allowed: allowed.length, firstAllowedId: allowed[0] ?? null }
      },
      ...change,
    }
  }
  const topicSentence = "The time limit for editing this message's topic has passed."
  const channelSentence = "The time limit for editing this message's channel has passed"
  const code = 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED'
  const refused = (rule: () => void) => {
    const error = refusalError(rule)
    return error && { code: error.code, message: error.message, extra: error.extra }
  }
  const fields = (first: number | null, allowed: number) => ({
    first_message_id_allowed_to_move: first,
    total_messages_in_topic: 3,
    total_messages_allowed_to_move: allowed,
  })

  describe('of the message itself', () => {
    test.each([
      ['in time', member, buildMove(), limits],
      ['in the slack', member, buildMove({ messageAgeSeconds: 172_820 }), limits],
      ['no limit', member, buildMove({ messageAgeSeconds: 1e9 }), none],
      ['a moderator has none', moderator, buildMove({ messageAgeSeconds: 1e9 }), limits],
      [
        'a resolve toggle has none',
        member,
        buildMove({ messageAgeSeconds: 1e9, changesTopic: false }),
        limits,
      ],
    ])('topic, passes: %s', (_case, actor, move, given) => {
      expect(refused(() => requireTopicMoveInTime(actor, move, given))).toBeNull()
    })

    test.each([
      ['in the slack', member, buildMove({ changesChannel: true, messageAgeSeconds: 86_420 }), limits],
      ['a moderator', moderator, buildMove({ changesChannel: true, messageAgeSeconds: 1e9 }), limits],
      ['the channel stays', member, buildMove({ messageAgeSeconds: 1e9 }), limits],
      ['no limit', member, buildMove({ changesChannel: true, messageAgeSeconds: 1e9 }), none],
    ])('channel, passes: %s', (_case, actor, move, given) => {
      expect(refused(() => requireChannelMoveInTime(actor, move, given))).toBeNull()
    })

    test.each(['change_one', 'change_later'] as const)('%s of an old message: nothing can move', (mode) => {
      const move = buildMove({ propagateMode: mode, messageAgeSeconds: 172_821 })
      expect(refused(() => requireTopicMoveInTime(member, move, limits))).toEqual({
        code,
        message: topicSentence,
        extra: fields(null, 0),
      })
    })

    test('the channel limit has its own sentence', () => {
      const move = buildMove({ changesTopic: false, changesChannel: true, messageAgeSeconds: 86_421 })
      expect(refused(() => requireChannelMoveInTime(member, move, limits))).toEqual({
        code,
        message: channelSentence,
        extra: fields(null, 0),
      })
    })

    test('change_all of an old message returns the first newer one that may move', () => {
      const move = buildMove({ propagateMode: 'change_all', messageAgeSeconds: 200_000 })
      expect(refused(() => requireTopicMoveInTime(member, move, limits))).toEqual({
        code,
        message: 'You only have permission to move the 2/3 most recent messages in this topic.',
        extra: fields(12, 2),
      })
    })

    test('change_all to another channel and topic uses the smaller limit', () => {
      const move = buildMove({
        propagateMode: 'change_all',
        changesChannel: true,
        messageAgeSeconds: 200_000,
      })
      expect(refused(() => requireTopicMoveInTime(member, move, limits))?.extra).toEqual(fields(13, 1))
    })

    test('change_all with no movable message is refused as change_one is', () => {
      const move = buildMove({
        propagateMode: 'change_all',
        messageAgeSeconds: 200_000,
        countTopic: () => ({ total: 3, allowed: 0, firstAllowedId: null }),
      })
      expect(refused(() => requireTopicMoveInTime(member, move, limits))).toEqual({
        code,
        message: topicSentence,
        extra: fields(null, 0),
      })
    })
  })

  describe('of the whole topic', () => {
    test.each([
      ['change_one', member, buildMove(), limits],
      ['change_later', member, buildMove({ propagateMode: 'change_later' }), limits],
      ['a moderator', moderator, buildMove({ propagateMode: 'change_all' }), limits],
      ['no limit', member, buildMove({ propagateMode: 'change_all' }), none],
      ['a resolve toggle', member, buildMove({ propagateMode: 'change_all', changesTopic: false }), limits],
      [
        'all in time, with the slack',
        member,
        buildMove({ propagateMode: 'change_all' }),
        { ...limits, move_messages_within_stream_limit_seconds: 200_000 - 20 },
      ],
    ])('passes: %s', (_case, actor, move, given) => {
      expect(refused(() => requireWholeTopicInTime(actor, move, given))).toBeNull()
    })

    test('fails when a part is too old', () => {
      const move = buildMove({ propagateMode: 'change_all' })
      expect(refused(() => requireWholeTopicInTime(member, move, limits))).toEqual({
        code,
        message: 'You only have permission to move the 2/3 most recent messages in this topic.',
        extra: fields(12, 2),
      })
    })

    test('resolving with a change of channel has the channels’ limit', () => {
      const move = buildMove({ propagateMode: 'change_all', changesTopic: false, changesChannel: true })
      expect(refused(() => requireWholeTopicInTime(member, move, limits))?.extra).toEqual(fields(13, 1))
    })
  })
})
