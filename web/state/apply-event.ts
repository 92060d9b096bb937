import { applyChannelFolder, applyStream, applySubscription, applyUserTopic } from './channels.ts'
import type { ChatState } from './chat-state.ts'
import {
  applyDeleteMessage,
  applyFlags,
  applyMessage,
  applyReaction,
  applySubmessage,
  applyUpdateMessage,
} from './messages.ts'
import {
  applyDefaultChannelGroups,
  applyDefaultChannels,
  applyDomains,
  applyLinkifiers,
  applyPlaygrounds,
  applyProfileFields,
  applyRealm,
  applyRealmEmoji,
  applyRestart,
  applySettings,
  applySettingsDefaults,
} from './organization.ts'
import {
  applyAlertWords,
  applyAttachment,
  applyDrafts,
  applyMutedUsers,
  applyNavigationView,
  applyOnboardingSteps,
  applyReminders,
  applyScheduled,
  applySnippets,
  applyZoomToken,
} from './personal.ts'
import { applyEditTyping, applyTyping } from './typing.ts'
import { applyPresence, applyRealmBot, applyRealmUser, applyUserGroup, applyUserStatus } from './users.ts'
import { dropLooseMessages } from './windows.ts'
import type { WireEvent } from './wire.ts'

/** Applies one type of event. `now` in milliseconds. */
type Applier = (state: ChatState, event: WireEvent, now: number) => void

/** Marks a list as outdated, which is fetched when it is shown. */
function outdated(slice: 'invitations' | 'exports' | 'devices'): Applier {
  return ({ changes }) => changes.touch(slice)
}

export const APPLIED: Readonly<Record<string, Applier>> = {
  message: applyMessage,
  update_message: applyUpdateMessage,
  delete_message: applyDeleteMessage,
  reaction: applyReaction,
  submessage: applySubmessage,
  update_message_flags: applyFlags,
  typing: applyTyping,
  typing_edit_message: applyEditTyping,
  realm_user: applyRealmUser,
  user_group: applyUserGroup,
  realm_bot: applyRealmBot,
  presence: applyPresence,
  user_status: applyUserStatus,
  stream: applyStream,
  subscription: applySubscription,
  user_topic: applyUserTopic,
  channel_folder: applyChannelFolder,
  channel_pins: ({ changes }, { stream_id }) => changes.touch('pins of channel', stream_id as number),
  default_streams: applyDefaultChannels,
  default_stream_groups: applyDefaultChannelGroups,
  realm: applyRealm,
  restart: applyRestart,
  realm_user_settings_defaults: applySettingsDefaults,
  realm_emoji: applyRealmEmoji,
  realm_linkifiers: applyLinkifiers,
  realm_playgrounds: applyPlaygrounds,
  realm_domains: applyDomains,
  custom_profile_fields: applyProfileFields,
  user_settings: applySettings,
  alert_words: applyAlertWords,
  has_zoom_token: applyZoomToken,
  muted_users: applyMutedUsers,
  drafts: applyDrafts,
  scheduled_messages: applyScheduled,
  reminders: applyReminders,
  saved_snippets: applySnippets,
  navigation_view: applyNavigationView,
  onboarding_steps: applyOnboardingSteps,
  attachment: applyAttachment,
  invites_changed: outdated('invitations'),
  realm_export: outdated('exports'),
  realm_export_consent: outdated('exports'),
  device: outdated('devices'),
  push_device: outdated('devices'),
}

/** Types that change nothing here, each with the reason. */
export const NOT_NEEDED: Readonly<Record<string, string>> = {
  heartbeat: 'says that the connection is alive: the event loop needs no more than its coming',
  muted_topics: 'the older way of user_topic, which comes with it',
  update_display_settings: 'the older way of user_settings: not sent to newer clients',
  update_global_notifications: 'the older way of user_settings: not sent to newer clients',
}

/** Applies an answer of GET /events, in its order, and then notifies listeners. `now` in milliseconds. */
export function applyEvents(state: ChatState, events: readonly WireEvent[], now: number): void {
  // An unknown type, from a newer server, changes nothing.
  for (const event of events) APPLIED[event.type]?.(state, event, now)
  dropLooseMessages(state)
  state.changes.flush()
}
