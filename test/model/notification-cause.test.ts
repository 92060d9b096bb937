import { describe, expect, it } from 'vitest'
import {
  type Concern,
  type NotificationOptions,
  type NotificationWay,
  notificationCause,
} from '../../src/model/notifications/notification-cause.ts'
import { isMention } from '../../src/store/notifications/causes.ts'

/** Settings of a user who has changed nothing: see docs/interface/settings.md#defaults-of-new-accounts. */
const USUAL: NotificationOptions = {
  personal: true,
  channels: false,
  wildcards: true,
  followedTopics: true,
  followedWildcards: true,
}
const INHERITED = {
  isMuted: false,
  pushNotifications: null,
  emailNotifications: null,
  wildcardMentionsNotify: null,
}
const UNNOTICED: Concern = {
  isDirect: false,
  isMentioned: false,
  isTopicMentioned: false,
  isChannelMentioned: false,
  subscription: INHERITED,
  policy: 0,
}
const MUTED = { policy: 1 } as const
const UNMUTED = { policy: 2 } as const
const FOLLOWED = { policy: 3 } as const
const subscribed = (changes: object) => ({ subscription: { ...INHERITED, ...changes } })

function cause(concern: Partial<Concern>, options: Partial<NotificationOptions> = {}) {
  return notificationCause('push', { ...USUAL, ...options }, { ...UNNOTICED, ...concern })
}

const DIRECT = { isDirect: true, subscription: undefined }

describe('a user is notified of', () => {
  it('a direct message, unless its setting is off', () => {
    expect(cause(DIRECT)).toBe('direct_message')
    expect(cause(DIRECT, { personal: false })).toBeUndefined()
    expect(cause(DIRECT, { personal: false, channels: true })).toBeUndefined()
  })

  it('a mention by name, in muted topics too, unless its setting is off', () => {
    expect(cause({ isMentioned: true })).toBe('mention')
    expect(cause({ isMentioned: true, ...MUTED })).toBe('mention')
    expect(cause({ isMentioned: true, ...subscribed({ isMuted: true }) })).toBe('mention')
    expect(cause({ isMentioned: true }, { personal: false })).toBeUndefined()
  })

  it.each([
    ['topic', 'topic_wildcard_mention', { isTopicMentioned: true }],
    ['channel', 'channel_wildcard_mention', { isChannelMentioned: true }],
  ] as const)('a wildcard mention in a %s, if its setting is on', (_of, expected, mentioned) => {
    expect(cause(mentioned)).toBe(expected)
    expect(cause(mentioned, { personal: false })).toBeUndefined()
    expect(cause(mentioned, { wildcards: false })).toBeUndefined()
    expect(cause({ ...mentioned, ...subscribed({ wildcardMentionsNotify: false }) })).toBeUndefined()
    expect(
      cause({ ...mentioned, ...subscribed({ wildcardMentionsNotify: true }) }, { wildcards: false }),
    ).toBe(expected)
    expect(cause({ ...mentioned, ...MUTED })).toBeUndefined()
    expect(cause({ ...mentioned, ...subscribed({ isMuted: true }) })).toBeUndefined()
    expect(cause({ ...mentioned, ...subscribed({ isMuted: true }), ...UNMUTED })).toBe(expected)
  })

  it('a wildcard mention in a muted channel by its own setting, not in muted topics', () => {
    for (const way of ['push', 'mail'] as const) {
      for (const mentioned of [{ isTopicMentioned: true }, { isChannelMentioned: true }]) {
        const causeFor = (subscription: object, policy: Concern['policy'] = 0, options = USUAL) =>
          notificationCause(way, options, {
            ...UNNOTICED,
            ...mentioned,
            ...subscribed({ isMuted: true, ...subscription }),
            policy,
          })
        expect(causeFor({ wildcardMentionsNotify: true })).toMatch(/^(topic|channel)_wildcard_mention$/)
        expect(causeFor({ wildcardMentionsNotify: true }, 0, { ...USUAL, wildcards: false })).toBeDefined()
        expect(causeFor({ wildcardMentionsNotify: true }, 0, { ...USUAL, personal: false })).toBeUndefined()
        expect(causeFor({ wildcardMentionsNotify: true }, MUTED.policy)).toBeUndefined()
        expect(causeFor({ wildcardMentionsNotify: false })).toBeUndefined()
        expect(causeFor({ pushNotifications: true, emailNotifications: true })).toBeUndefined()
      }
    }
  })

  it('a wildcard mention in a topic that they follow, by a setting of its own', () => {
    const mentioned = { isTopicMentioned: true, ...FOLLOWED }
    const quiet = { wildcards: false, followedTopics: false }
    expect(cause(mentioned, quiet)).toBe('topic_wildcard_mention')
    expect(cause(mentioned, { ...quiet, followedWildcards: false })).toBeUndefined()
    expect(cause({ ...mentioned, ...subscribed({ isMuted: true }) }, quiet)).toBe('topic_wildcard_mention')
  })

  it('everything in a topic that they follow, a muted channel’s too', () => {
    expect(cause(FOLLOWED)).toBe('followed_topic')
    expect(cause({ ...FOLLOWED, ...subscribed({ isMuted: true }) })).toBe('followed_topic')
    expect(cause(FOLLOWED, { personal: false })).toBe('followed_topic')
    expect(cause(FOLLOWED, { followedTopics: false })).toBeUndefined()
    expect(cause(FOLLOWED, { followedTopics: false, channels: true })).toBe('channel')
  })

  it('everything in a channel by its own or the general setting, unless it is muted', () => {
    expect(cause({})).toBeUndefined()
    expect(cause({}, { channels: true })).toBe('channel')
    expect(cause(subscribed({ pushNotifications: false }), { channels: true })).toBeUndefined()
    const own = { pushNotifications: true }
    expect(cause(subscribed(own))).toBe('channel')
    expect(cause({ ...subscribed(own), ...MUTED })).toBeUndefined()
    expect(cause(subscribed({ ...own, isMuted: true }))).toBeUndefined()
    expect(cause({ ...subscribed({ ...own, isMuted: true }), ...UNMUTED })).toBe('channel')
  })

  it('nothing in a channel where they are not subscribed', () => {
    const elsewhere = { subscription: undefined }
    expect(cause(elsewhere, { channels: true })).toBeUndefined()
    expect(cause({ ...elsewhere, isChannelMentioned: true })).toBeUndefined()
  })
})

it('a mention and a followed topic are different causes', () => {
  expect(isMention('channel_wildcard_mention')).toBe(true)
  expect(isMention('followed_topic')).toBe(false)
})

describe('mail', () => {
  const mailed = (concern: Partial<Concern>, options: Partial<NotificationOptions> = {}) => {
    const causeFor = (way: NotificationWay) =>
      notificationCause(way, { ...USUAL, ...options }, { ...UNNOTICED, ...concern })
    return causeFor('mail')
  }

  it('goes by the channel’s own setting for mail', () => {
    expect(mailed(subscribed({ emailNotifications: true }))).toBe('channel')
    expect(mailed(subscribed({ pushNotifications: true }))).toBeUndefined()
    expect(mailed(subscribed({ emailNotifications: false }), { channels: true })).toBeUndefined()
  })

  it('has one switch for channel messages, channel settings and followed topics alike', () => {
    expect(mailed(FOLLOWED, { personal: false })).toBeUndefined()
    expect(mailed(subscribed({ emailNotifications: true }), { personal: false })).toBeUndefined()
    expect(mailed(FOLLOWED)).toBe('followed_topic')
  })
})
