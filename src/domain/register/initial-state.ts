import type { RealmReads } from '../../core/realm-transaction.ts'
import type { Caller } from '../caller.ts'
import { ABSENT_FEATURES } from './absent-features.ts'
import { alertWordsSnapshot } from './alert-words.ts'
import { channelFoldersSnapshot } from './channel-folders.ts'
import { customProfileFieldsSnapshot } from './custom-profile-fields.ts'
import { defaultStreamGroupsSnapshot } from './default-stream-groups.ts'
import { defaultStreamsSnapshot } from './default-streams.ts'
import { devicesSnapshot } from './devices.ts'
import { draftsSnapshot } from './drafts.ts'
import { updateDisplaySettingsSnapshot, updateGlobalNotificationsSnapshot } from './legacy-user-settings.ts'
import { messageSnapshot } from './message.ts'
import { mutedUsersSnapshot } from './muted-users.ts'
import { navigationViewsSnapshot } from './navigation-views.ts'
import { onboardingStepsSnapshot } from './onboarding-steps.ts'
import { presenceSnapshot } from './presence.ts'
import { pushDevicesSnapshot } from './push-devices.ts'
import { realmSnapshot } from './realm.ts'
import { realmBotSnapshot } from './realm-bot.ts'
import { realmDomainsSnapshot } from './realm-domains.ts'
import { realmEmojiSnapshot } from './realm-emoji.ts'
import { realmLinkifiersSnapshot } from './realm-linkifiers.ts'
import { realmPlaygroundsSnapshot } from './realm-playgrounds.ts'
import { realmUserSnapshot } from './realm-user.ts'
import { realmUserGroupsSnapshot } from './realm-user-groups.ts'
import { realmUserSettingsDefaultsSnapshot } from './realm-user-settings-defaults.ts'
import { recentPrivateConversationsSnapshot } from './recent-private-conversations.ts'
import { remindersSnapshot } from './reminders.ts'
import { savedSnippetsSnapshot } from './saved-snippets.ts'
import { scheduledMessagesSnapshot } from './scheduled-messages.ts'
import { isFetched, type Snapshot, type SnapshotOptions } from './snapshot.ts'
import { nothingUnread, SPECTATOR_SNAPSHOTS } from './spectator-snapshots.ts'
import { starredMessagesSnapshot } from './starred-messages.ts'
import { streamSnapshot } from './stream.ts'
import { subscriptionSnapshot } from './subscription.ts'
import { fetchesUnread, UNREAD_FLAGS } from './unread-messages.ts'
import { userSettingsSnapshot } from './user-settings.ts'
import { userStatusSnapshot } from './user-status.ts'
import { mutedTopicsSnapshot, userTopicSnapshot } from './user-topic.ts'

/** One entry for each `fetch_event_types` name that has keys (docs/interface/register.md#what-the-snapshot-has). */
const SNAPSHOTS: Readonly<Record<string, Snapshot>> = {
  ...ABSENT_FEATURES,
  alert_words: alertWordsSnapshot,
  channel_folders: channelFoldersSnapshot,
  default_stream_groups: defaultStreamGroupsSnapshot,
  custom_profile_fields: customProfileFieldsSnapshot,
  default_streams: defaultStreamsSnapshot,
  device: devicesSnapshot,
  drafts: draftsSnapshot,
  message: messageSnapshot,
  muted_topics: mutedTopicsSnapshot,
  muted_users: mutedUsersSnapshot,
  navigation_views: navigationViewsSnapshot,
  onboarding_steps: onboardingStepsSnapshot,
  presence: presenceSnapshot,
  push_device: pushDevicesSnapshot,
  realm: realmSnapshot,
  realm_bot: realmBotSnapshot,
  realm_domains: realmDomainsSnapshot,
  realm_emoji: realmEmojiSnapshot,
  realm_linkifiers: realmLinkifiersSnapshot,
  realm_playgrounds: realmPlaygroundsSnapshot,
  realm_user: realmUserSnapshot,
  realm_user_groups: realmUserGroupsSnapshot,
  realm_user_settings_defaults: realmUserSettingsDefaultsSnapshot,
  recent_private_conversations: recentPrivateConversationsSnapshot,
  reminders: remindersSnapshot,
  scheduled_messages: scheduledMessagesSnapshot,
  saved_snippets: savedSnippetsSnapshot,
  starred_messages: starredMessagesSnapshot,
  stream: streamSnapshot,
  subscription: subscriptionSnapshot,
  update_display_settings: updateDisplaySettingsSnapshot,
  update_global_notifications: updateGlobalNotificationsSnapshot,
  user_settings: userSettingsSnapshot,
  user_status: userStatusSnapshot,
  user_topic: userTopicSnapshot,
}

/**
 * The snapshot that a new queue's events go on from, but for what is unread (unread-messages.ts). Source: docs/interface/register.md#what-the-snapshot-has.
 */
export function initialState(tx: RealmReads, caller: Caller, options: SnapshotOptions): object {
  return stateOf(SNAPSHOTS, { tx, caller, options })
}

/** The snapshot for somebody without an account. Source: docs/interface/visitors.md#the-snapshot. */
export function spectatorState(tx: RealmReads, caller: Caller, options: SnapshotOptions): object {
  const state = stateOf({ ...SNAPSHOTS, ...SPECTATOR_SNAPSHOTS }, { tx, caller, options })
  return fetchesUnread(options) ? { ...state, ...nothingUnread(tx, caller) } : state
}

/** Whether the snapshot of these types, or of all, may be large: more than the newest message's id, which is all that `message` gives. */
export function isStateLarge(types: readonly string[] | null | undefined): boolean {
  return (
    types?.every(
      (type) => type === 'message' || !(type === UNREAD_FLAGS || Object.hasOwn(SNAPSHOTS, type)),
    ) !== true
  )
}

interface Asked {
  readonly tx: RealmReads
  readonly caller: Caller
  readonly options: SnapshotOptions
}

function stateOf(snapshots: Readonly<Record<string, Snapshot>>, { tx, caller, options }: Asked): object {
  const parts = Object.entries(snapshots)
    .filter(([type]) => isFetched(options, type))
    .map(([, snapshot]) => snapshot(tx, caller, options))
  return Object.assign({}, ...parts) as object
}
