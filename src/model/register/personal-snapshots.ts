import { deploymentOf } from '../../core/call.ts'
import { getsForm } from '../../core/forms-by-level.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { botFor } from '../../events/realm-user.ts'
import { settingsFor } from '../../events/user-settings.ts'
import { isAdministrator } from '../../rules/roles.ts'
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../rules/topic-rules.ts'
import { hasZoomAccount } from '../../store/calls/zoom-account-rows.ts'
import { listClientDevices } from '../../store/client-devices/client-device-rows.ts'
import { newestReceivedMessage } from '../../store/messages/flags/received-message-rows.ts'
import { listAlertWords, listNavigationViews } from '../../store/personal/personal-rows.ts'
import { listPushDevices, statusOf } from '../../store/push/push-device-rows.ts'
import { subscriptionsByChannel } from '../../store/subscriptions/subscriber-rows.ts'
import { listUserTopics } from '../../store/user-topics/user-topic-rows.ts'
import { userSettings } from '../../store/users/settings/user-setting-rows.ts'
import {
  EMOJISETS,
  NOTIFICATION_SOUNDS,
  settingsWithLegacyForm,
} from '../../store/users/settings/user-settings.ts'
import { listShownBots } from '../../store/users/shown-bot-rows.ts'
import type { User } from '../../store/users/user-rows.ts'
import { presentBots } from '../bots/present-bot.ts'
import { actorOf } from '../caller.ts'
import { isCallServiceConnected } from '../calls/call-providers.ts'
import { allChannels } from '../channels/read/present-channel.ts'
import { presentClientDevice } from '../client-devices/present-client-device.ts'
import { presentDraft } from '../drafts/present-draft.ts'
import { presentTopic } from '../messages/topic-of-message.ts'
import { remainingSteps } from '../onboarding/remaining-steps.ts'
import { presentReminder } from '../reminders/reminder-text.ts'
import { presentScheduledMessage } from '../scheduled-messages/present-scheduled-message.ts'
import {
  mutedAmong,
  mutedTopics,
  nameOfVisible,
  userTopicPresenter,
} from '../user-topics/present-user-topics.ts'
import { rowsIfAny, rowsOfLong } from './personal-lists.ts'
import type { Snapshot, SnapshotOptions } from './snapshot.ts'

/** Key of `has_zoom_token`: whether the caller is logged in at Zoom from here. */
const hasZoomToken: Snapshot = ({ sql }, { user, source }) => ({
  has_zoom_token: isCallServiceConnected(source, 'zoom') && hasZoomAccount(sql, user.id),
})

/**
 * The parts of the snapshot that belong to the caller, by fetch type: each returns the keys of its type.
 * Source: docs/interface/register.md#what-the-snapshot-has.
 */
export const PERSONAL_SNAPSHOTS = {
  /** Key of `alert_words`: the caller's own. */
  alert_words: (tx, { user }, options) => ({
    alert_words: rowsIfAny('alertWords', tx, user, options, () => listAlertWords(tx.sql, user.id)),
  }),

  /** Key of `device`: the caller's devices by their id. */
  device: (tx, { user }, options) => ({
    devices: Object.fromEntries(
      rowsIfAny('clientDevices', tx, user, options, () => listClientDevices(tx.sql, user.id)).map(
        (device) => [device.id, presentClientDevice(device)],
      ),
    ),
  }),

  /** Key of `drafts`: the caller's own. */
  drafts: (tx, { user }, options) => ({
    drafts: rowsOfLong('drafts', tx, user, options).map((row) => {
      const draft = presentDraft(tx, user.id, row)
      return draft.type === 'stream' ? { ...draft, topic: shownBy(options)(draft.topic) } : draft
    }),
  }),

  /**
   * The display settings in their older form: each a key of its own, for clients that do not know
   * `user_settings` (docs/interface/register.md#what-the-snapshot-has).
   */
  update_display_settings: (_tx, { user, source }, { capabilities }) =>
    capabilities.has('user_settings_object')
      ? {}
      : {
          ...settingsFor(source, settingsWithLegacyForm(userSettings(user), 'display')),
          timezone: user.timezone,
          emojiset_choices: EMOJISETS,
        },

  /** The keys of the notification settings, as older clients have them. */
  update_global_notifications: (_tx, { user }, { capabilities }) =>
    capabilities.has('user_settings_object')
      ? {}
      : {
          ...settingsWithLegacyForm(userSettings(user), 'notification'),
          available_notification_sounds: NOTIFICATION_SOUNDS,
        },

  has_zoom_token: hasZoomToken,

  /** Keys of `video_calls`: at which services the caller is logged in. */
  video_calls: (...asked) => ({ ...hasZoomToken(...asked), has_webex_token: false }),

  /** Key of `message`: the highest id of which the caller has a record, −1 if none. */
  message: (tx, { user }) => ({
    max_message_id: newestReceivedMessage(tx.sql, user.id) ?? -1,
  }),

  /** Key of `muted_users`: whom the caller has muted. */
  muted_users: (tx, { user }, options) => ({
    muted_users: rowsOfLong('mutedUsers', tx, user, options),
  }),

  /** Key of `navigation_views`: the caller's settings of views. */
  navigation_views: (tx, { user }, options) => ({
    navigation_views: rowsIfAny('navigationViews', tx, user, options, () =>
      listNavigationViews(tx.sql, user.id),
    ),
  }),

  /** Keys of `onboarding_steps`. There is no video. */
  onboarding_steps: ({ sql }, { user }) => ({
    onboarding_steps: remainingSteps(sql, user),
    navigation_tour_video_url: null,
  }),

  /** Key of `push_device`: the caller's devices of the older form, for clients that know it; none without a push service. */
  push_device: ({ sql }, { user, source }) =>
    getsForm(source, 'devices of apps with keys alone')
      ? {}
      : { push_devices: deploymentOf(source).hasPushService ? pushDevices(sql, user.id) : {} },

  /** Key of `realm_bot`: the caller's bots, for administrators everybody's. */
  realm_bot: (tx, { user, source }, options) => ({
    realm_bots: presentBots(
      tx,
      isAdministrator(user)
        ? listShownBots(tx.sql)
        : rowsIfAny('bots', tx, user, options, () => listShownBots(tx.sql, user.id)),
      user,
      (_bot, presented) => botFor(source, presented),
    ),
  }),

  /** Key of `reminders`: the caller's own, undelivered. */
  reminders: (tx, { user }, options) => ({
    reminders: rowsOfLong('reminders', tx, user, options).map(presentReminder),
  }),

  /** Key of `saved_snippets`: the caller's own. */
  saved_snippets: (tx, { user }, options) => ({
    saved_snippets: rowsOfLong('savedSnippets', tx, user, options),
  }),

  /** Key of `scheduled_messages`: unsent ones, by time (docs/interface/register.md#what-the-snapshot-has). */
  scheduled_messages: (tx, { user }, options) => ({
    scheduled_messages: rowsOfLong('scheduledMessages', tx, user, options).map((message) => {
      const { topic, ...presented } = presentScheduledMessage(tx, message)
      return topic === undefined
        ? presented
        : { ...presented, topic: presentTopic(topic, options.capabilities.has('empty_topic_name')) }
    }),
  }),

  /** Key of `starred_messages`: ids, ascending. */
  starred_messages: (tx, { user }, options) => ({
    starred_messages: rowsOfLong('flags', tx, user, options),
  }),

  /** Key of `user_settings`: all settings, and the lists to choose from. */
  user_settings: (_tx, { user, source }) => ({
    user_settings: {
      ...settingsFor(source, userSettings(user)),
      timezone: user.timezone,
      emojiset_choices: EMOJISETS,
      available_notification_sounds: NOTIFICATION_SOUNDS,
    },
  }),

  /** Key of `user_topic`: every topic with a policy of the caller's. */
  user_topic: (tx, { user }, options) => ({
    user_topics: listUserTopics(tx.sql, user.id).map(userTopicPresenter(shownBy(options))),
  }),

  /** Key of `muted_topics`: the older form, for clients that do not name the newer event (docs/interface/register.md#what-the-snapshot-has). */
  muted_topics: (tx, { user }, options) => {
    if (options.eventTypes?.includes('user_topic')) return {}
    return { muted_topics: presentMutedTopics(tx, user, options) }
  },
} satisfies Readonly<Record<string, Snapshot>>

/** Returns the user's devices of the older form, by account number. */
function pushDevices(
  sql: Sql,
  userId: number,
): Record<string, { status: string; error_code: string | null }> {
  return Object.fromEntries(
    listPushDevices(sql, userId).map((device) => [
      device.accountId,
      { status: statusOf(device), error_code: device.errorCode },
    ]),
  )
}

/** Number of topics with a setting from which on their channels are not looked up one by one. */
const MANY_SETTINGS = 100

/**
 * The muted topics in the older form, as `mutedTopics` returns them, with topics as the client knows them. The channels of
 * few are looked up, one by one.
 */
function presentMutedTopics(tx: RealmReads, user: User, options: SnapshotOptions): unknown[] {
  const shown = shownBy(options)
  const settings = listUserTopics(tx.sql, user.id)
  const present = (muted: readonly [string, string, number][]) =>
    muted.map(([channel, topic, at]) => [channel, shown(topic), at])
  if (settings.length < MANY_SETTINGS) return present(mutedTopics(tx, user))
  const actor = actorOf(tx.sql, user, tx.now)
  const channels = allChannels(tx)
  const subscriptions = subscriptionsByChannel(tx.sql, user.id)
  const named = new Set(settings.map(({ channelId }) => channelId))
  const byId = new Map(channels.filter(({ id }) => named.has(id)).map((channel) => [channel.id, channel]))
  const isSubscribed = (id: number) => subscriptions.get(id)?.isActive ?? false
  return present(mutedAmong(settings, (id) => nameOfVisible(actor, byId.get(id), isSubscribed(id))))
}

/** Returns a function that maps a topic to the client's form: older clients get a name for the empty topic. */
function shownBy({ capabilities }: Pick<SnapshotOptions, 'capabilities'>): (topic: string) => string {
  return (topic) => (topic === '' && !capabilities.has('empty_topic_name') ? EMPTY_TOPIC_DISPLAY_NAME : topic)
}
