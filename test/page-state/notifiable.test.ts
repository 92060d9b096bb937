import { describe, expect, it } from 'vitest'
import { mayShowContent, notifiableOf } from '../../web/state/notifiable.ts'
import type { Message, Snapshot } from '../../web/state/wire.ts'
import { buildDirectMessage, buildMessage, buildState, buildSubscription, ME } from './build.ts'

const SETTINGS = {
  web_stream_unreads_count_display_policy: 2,
  desktop_icon_count_display: 1,
  enable_desktop_notifications: true,
  enable_sounds: true,
  enable_stream_desktop_notifications: false,
  enable_stream_audible_notifications: false,
  enable_followed_topic_desktop_notifications: false,
  enable_followed_topic_audible_notifications: false,
  enable_followed_topic_wildcard_mentions_notify: false,
  wildcard_mentions_notify: true,
  pm_content_in_desktop_notifications: true,
}

/** Topic `lunch` of channel 1: 1 muted, 3 followed. */
function stateWith({
  settings = {},
  subscription = {},
  policy,
  mutedUsers = [],
}: {
  settings?: Partial<typeof SETTINGS>
  subscription?: Parameters<typeof buildSubscription>[1]
  policy?: number
  mutedUsers?: number[]
} = {}) {
  return buildState({
    user_settings: { ...SETTINGS, ...settings } as Snapshot['user_settings'],
    subscriptions: [buildSubscription(1, subscription)],
    user_topics:
      policy === undefined
        ? []
        : [{ stream_id: 1, topic_name: 'lunch', last_updated: 1, visibility_policy: policy }],
    muted_users: mutedUsers.map((id) => ({ id, timestamp: 1 })),
  } as Partial<Snapshot>)
}

const noticed = (state: ReturnType<typeof stateWith>, message: Message) => {
  const { isShown, isHeard } = notifiableOf(state, message)
  return `${isShown ? 'shown' : '-'} ${isHeard ? 'heard' : '-'}`
}

const direct = buildDirectMessage(1, [4, ME])
const plain = buildMessage(1)
const withFlag = (flag: string) => buildMessage(1, { flags: [flag as Message['flags'][number]] })

describe('a notification outside the page is shown for a message', () => {
  it('that is direct, a mention or an alert word, each by its setting', () => {
    for (const message of [direct, withFlag('mentioned'), withFlag('has_alert_word')]) {
      expect(noticed(stateWith(), message)).toBe('shown heard')
      expect(noticed(stateWith({ settings: { enable_sounds: false } }), message)).toBe('shown -')
      expect(noticed(stateWith({ settings: { enable_desktop_notifications: false } }), message)).toBe(
        '- heard',
      )
    }
  })

  it('in a channel only by the general setting or the channel’s', () => {
    expect(noticed(stateWith(), plain)).toBe('- -')
    expect(noticed(stateWith({ settings: { enable_stream_desktop_notifications: true } }), plain)).toBe(
      'shown -',
    )
    expect(noticed(stateWith({ subscription: { audible_notifications: true } }), plain)).toBe('- heard')
    const not = {
      settings: { enable_stream_desktop_notifications: true },
      subscription: { desktop_notifications: false },
    }
    expect(noticed(stateWith(not), plain)).toBe('- -')
  })

  it('in a followed topic by the settings for these', () => {
    const settings = { enable_followed_topic_desktop_notifications: true }
    expect(noticed(stateWith({ settings }), plain)).toBe('- -')
    expect(noticed(stateWith({ settings, policy: 3 }), plain)).toBe('shown -')
  })

  it('with a wildcard mention unless muted or disabled', () => {
    for (const flag of ['stream_wildcard_mentioned', 'topic_wildcard_mentioned']) {
      const message = withFlag(flag)
      expect(noticed(stateWith(), message)).toBe('shown heard')
      expect(noticed(stateWith({ policy: 1 }), message)).toBe('- -')
      expect(noticed(stateWith({ subscription: { is_muted: true } }), message)).toBe('- -')
      expect(noticed(stateWith({ settings: { wildcard_mentions_notify: false } }), message)).toBe('- -')
      expect(noticed(stateWith({ subscription: { wildcard_mentions_notify: false } }), message)).toBe('- -')
    }
  })

  it('with a wildcard mention in a muted channel by its own setting', () => {
    for (const flag of ['stream_wildcard_mentioned', 'topic_wildcard_mentioned']) {
      const message = withFlag(flag)
      const own = { is_muted: true, wildcard_mentions_notify: true }
      expect(noticed(stateWith({ subscription: own }), message)).toBe('shown heard')
      expect(noticed(stateWith({ subscription: own, policy: 1 }), message)).toBe('- -')
      expect(noticed(stateWith({ subscription: own }), plain)).toBe('- -')
      const not = { is_muted: true, wildcard_mentions_notify: false }
      expect(noticed(stateWith({ subscription: not }), message)).toBe('- -')
    }
  })

  it('in a muted topic only for a mention by name', () => {
    const settings = { enable_stream_desktop_notifications: true }
    expect(noticed(stateWith({ settings, policy: 1 }), plain)).toBe('- -')
    expect(noticed(stateWith({ policy: 1 }), withFlag('mentioned'))).toBe('shown heard')
  })

  it('never one’s own, a read one, or one from a muted user', () => {
    expect(noticed(stateWith(), { ...direct, sender_id: ME })).toBe('- -')
    expect(noticed(stateWith(), { ...direct, flags: ['read'] })).toBe('- -')
    expect(noticed(stateWith({ mutedUsers: [4] }), direct)).toBe('- -')
  })
})

it('the text of direct messages is shown outside the page only by a setting', () => {
  const settings = { pm_content_in_desktop_notifications: false }
  expect(mayShowContent(stateWith({ settings }), direct)).toBe(false)
  expect(mayShowContent(stateWith({ settings }), plain)).toBe(true)
  expect(mayShowContent(stateWith(), direct)).toBe(true)
})
