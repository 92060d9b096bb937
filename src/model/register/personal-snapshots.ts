import { deploymentOf } from '../../core/call.ts'
import { getsRepresentation } from '../../core/representations-by-level.ts'
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
import { listUserTopics } from '../../store/user-topics/user-topic-rows.ts'
import { userSettings } from '../../store/users/settings/user-setting-rows.ts'
import {
  EMOJISETS,
  NOTIFICATION_SOUNDS,
  settingsWithLegacyForm,
} from '../../store/users/settings/user-settings.ts'
import { listShownBots } from '../../store/users/shown-bot-rows.ts'
import { presentBots } from '../bots/present-bot.ts'
import { isCallServiceConnected } from '../calls/call-providers.ts'
import { presentClientDevice } from '../client-devices/present-client-device.ts'
import { presentTopic } from '../messages/topic-of-message.ts'
import { remainingSteps } from '../onboarding/remaining-steps.ts'
import { presentDraft, presentReminder, presentScheduledMessage } from '../unsent/present-unsent.ts'
import { mutedTopics, userTopicPresenter } from '../user-topics/topic-attention.ts'
import { LONG_LISTS, readableStars, rowsIfAny } from './personal-lists.ts'
import type { Snapshot, SnapshotOptions } from './snapshot.ts'

/** Whether the caller has connected an account at Zoom. */
const hasZoomToken: Snapshot = ({ sql }, { user, source }) => ({
  has_zoom_token: isCallServiceConnected(source, 'zoom') && hasZoomAccount(sql, user.id),
})

/** The parts of the snapshot that belong to the caller, by fetch type. Source: docs/interface/register.md#what-the-snapshot-has. */
export const PERSONAL_SNAPSHOTS = {
  alert_words: (tx, { user }, options) => ({
    alert_words: rowsIfAny('alertWords', tx, user, options, () => listAlertWords(tx.sql, user.id)),
  }),

  device: (tx, { user }, options) => ({
    devices: Object.fromEntries(
      rowsIfAny('clientDevices', tx, user, options, () => listClientDevices(tx.sql, user.id)).map(
        (device) => [device.id, presentClientDevice(device)],
      ),
    ),
  }),

  drafts: (tx, { user }, options) => ({
    drafts: LONG_LISTS.drafts(tx, user, options).map((row) => {
      const draft = presentDraft(tx, user.id, row)
      return draft.type === 'stream' ? { ...draft, topic: shownBy(options)(draft.topic) } : draft
    }),
  }),

  /** The display settings in their older form, each a key of its own, for clients that do not know `user_settings`. */
  update_display_settings: (_tx, { user, source }, { capabilities }) =>
    capabilities.has('user_settings_object')
      ? {}
      : {
          ...settingsFor(source, settingsWithLegacyForm(userSettings(user), 'display')),
          emojiset_choices: EMOJISETS,
        },

  /** The notification settings in their older form. */
  update_global_notifications: (_tx, { user }, { capabilities }) =>
    capabilities.has('user_settings_object')
      ? {}
      : {
          ...settingsWithLegacyForm(userSettings(user), 'notification'),
          available_notification_sounds: NOTIFICATION_SOUNDS,
        },

  has_zoom_token: hasZoomToken,

  /** The services to which the caller has connected an account. */
  video_calls: (...asked) => ({ ...hasZoomToken(...asked), has_webex_token: false }),

  /** The highest id of a message that the caller has received; −1 if none. */
  message: (tx, { user }) => ({
    max_message_id: newestReceivedMessage(tx.sql, user.id) ?? -1,
  }),

  muted_users: (tx, { user }, options) => ({
    muted_users: LONG_LISTS.mutedUsers(tx, user, options),
  }),

  navigation_views: (tx, { user }, options) => ({
    navigation_views: rowsIfAny('navigationViews', tx, user, options, () =>
      listNavigationViews(tx.sql, user.id),
    ),
  }),

  onboarding_steps: ({ sql }, { user }) => ({
    onboarding_steps: remainingSteps(sql, user),
    navigation_tour_video_url: null,
  }),

  /** The caller's devices of the older form, for clients that know it or that name it; none without a push service. */
  push_device: ({ sql }, { user, source }, { types }) =>
    getsRepresentation(source, 'devices of apps with keys alone') && !(source.level === undefined && types)
      ? {}
      : { push_devices: deploymentOf(source).hasPushService ? pushDevices(sql, user.id) : {} },

  /** The caller's bots; everybody's for administrators. */
  realm_bot: (tx, { user, source }, options) => ({
    realm_bots: presentBots(
      tx,
      isAdministrator(user)
        ? listShownBots(tx.sql)
        : rowsIfAny('bots', tx, user, options, () => listShownBots(tx.sql, user.id)),
      user,
      (_bot, presented) => botFor(source, presented, source.session !== undefined),
    ),
  }),

  reminders: (tx, { user }, options) => ({
    reminders: LONG_LISTS.reminders(tx, user, options).map(presentReminder),
  }),

  saved_snippets: (tx, { user }, options) => ({
    saved_snippets: LONG_LISTS.savedSnippets(tx, user, options),
  }),

  scheduled_messages: (tx, { user }, options) => ({
    scheduled_messages: LONG_LISTS.scheduledMessages(tx, user, options).map((message) => {
      const { topic, ...presented } = presentScheduledMessage(tx, message)
      return topic === undefined
        ? presented
        : { ...presented, topic: presentTopic(topic, options.capabilities.has('empty_topic_name')) }
    }),
  }),

  /** Ids, ascending. */
  starred_messages: (tx, caller, options) => ({ starred_messages: readableStars(tx, caller, options) }),

  user_settings: (_tx, { user, source }) => ({
    user_settings: {
      ...settingsFor(source, userSettings(user)),
      emojiset_choices: EMOJISETS,
      available_notification_sounds: NOTIFICATION_SOUNDS,
    },
  }),

  user_topic: (tx, { user }, options) => ({
    user_topics: listUserTopics(tx.sql, user.id).map(userTopicPresenter(shownBy(options))),
  }),

  /** The older form of `user_topic`, for clients that do not name its event. */
  muted_topics: (tx, { user }, options) => {
    if (options.eventTypes?.includes('user_topic')) return {}
    const shown = shownBy(options)
    return { muted_topics: mutedTopics(tx, user).map(([channel, topic, at]) => [channel, shown(topic), at]) }
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

/** Returns a function that returns topics in the client's form: older clients get a name for the empty topic. */
function shownBy({ capabilities }: Pick<SnapshotOptions, 'capabilities'>): (topic: string) => string {
  return (topic) => (topic === '' && !capabilities.has('empty_topic_name') ? EMPTY_TOPIC_DISPLAY_NAME : topic)
}
