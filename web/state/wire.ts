/**
 * Objects as the API sends them, with its own names. The types leave out fields that the page does not read, though the data has them.
 * `REGISTER_OPTIONS` chooses among the API's forms.
 */

/**
 * Options with which the page registers its queue: Markdown rendered, every capability, no lists of
 * subscribers (they are fetched on demand).
 */
export const REGISTER_OPTIONS = {
  apply_markdown: true,
  client_gravatar: false,
  slim_presence: true,
  include_subscribers: false,
  client_capabilities: {
    notification_settings_null: true,
    bulk_message_deletion: true,
    user_avatar_url_field_optional: false,
    stream_typing_notifications: true,
    user_settings_object: true,
    linkifier_url_template: true,
    user_list_incomplete: true,
    include_deactivated_groups: true,
    archived_channels: true,
    empty_topic_name: true,
    simplified_presence_events: true,
    individual_emoji_changes: true,
  },
} as const

/** A group, or an unnamed list of people and groups. */
export type GroupSettingValue =
  | number
  | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }

export type Role = 100 | 200 | 300 | 400 | 600

export interface User {
  user_id: number
  full_name: string
  email: string
  delivery_email: string | null
  role: Role
  is_bot: boolean
  bot_type: number | null
  bot_owner_id: number | null
  is_owner: boolean
  is_admin: boolean
  is_guest: boolean
  timezone: string
  date_joined: string
  /** Whether a user was imported and has not logged in since. */
  is_imported_stub?: boolean
  avatar_url?: string | null
  /** Of the user of the page alone: `U` for a picture of their own. */
  avatar_source?: 'G' | 'U'
  avatar_version: number
  /** Values by id of the field. Absent for bots. */
  profile_data?: Record<string, { value: string; rendered_value?: string }>
  /** False once the account is closed. The state sets it: the API has two lists. */
  is_active: boolean
  /** Whether the profile of a closed account was erased. */
  is_deleted?: boolean
  /** Whether it sends notices for the server itself. */
  is_system_bot?: boolean
}

export interface WireUserGroup {
  id: number
  name: string
  description: string
  creator_id: number | null
  date_created: number | null
  members: number[]
  direct_subgroup_ids: number[]
  is_system_group: boolean
  deactivated: boolean
  can_add_members_group: GroupSettingValue
  can_join_group: GroupSettingValue
  can_leave_group: GroupSettingValue
  can_manage_group: GroupSettingValue
  can_mention_group: GroupSettingValue
  can_remove_members_group: GroupSettingValue
}

export type TopicsPolicy = 'inherit' | 'allow_empty_topic' | 'disable_empty_topic' | 'empty_topic_only'

/** A channel without the user's own settings of it. */
export interface WireChannel {
  stream_id: number
  name: string
  description: string
  rendered_description: string
  /** UNIX seconds. */
  date_created: number
  creator_id: number | null
  invite_only: boolean
  is_web_public: boolean
  history_public_to_subscribers: boolean
  first_message_id: number | null
  folder_id: number | null
  default_push_notifications: boolean
  is_recently_active: boolean
  is_archived: boolean
  message_retention_days: number | null
  topics_policy: TopicsPolicy
  subscriber_count: number
  stream_weekly_traffic: number | null
  can_add_subscribers_group: GroupSettingValue
  can_administer_channel_group: GroupSettingValue
  can_create_topic_group: GroupSettingValue
  can_delete_any_message_group: GroupSettingValue
  can_delete_own_message_group: GroupSettingValue
  can_move_messages_out_of_channel_group: GroupSettingValue
  can_move_messages_within_channel_group: GroupSettingValue
  can_remove_subscribers_group: GroupSettingValue
  can_resolve_topics_group: GroupSettingValue
  can_send_message_group: GroupSettingValue
  can_subscribe_group: GroupSettingValue
}

/** A user's own settings of a channel. Null: as in the user's settings. */
export interface PersonalChannelSettings {
  /** `#rrggbb`. */
  color: string
  pin_to_top: boolean
  is_muted: boolean
  desktop_notifications: boolean | null
  audible_notifications: boolean | null
  email_notifications: boolean | null
  push_notifications: boolean | null
  wildcard_mentions_notify: boolean | null
}

export type WireSubscription = WireChannel &
  PersonalChannelSettings & { subscribers?: number[]; partial_subscribers?: number[] }

export interface ChannelFolder {
  id: number
  name: string
  order: number
  description: string
  rendered_description: string
  is_archived: boolean
  date_created: number
  creator_id: number | null
}

export interface Reaction {
  emoji_name: string
  emoji_code: string
  reaction_type: string
  user_id: number
}

export interface Submessage {
  id: number
  message_id: number
  sender_id: number
  msg_type: string
  /** JSON. */
  content: string
}

export interface DirectRecipient {
  id: number
  email: string
  full_name: string
}

export interface Message {
  id: number
  type: 'stream' | 'private'
  sender_id: number
  sender_full_name: string
  sender_email: string
  avatar_url: string | null
  client: string
  /** UNIX seconds. */
  timestamp: number
  /** HTML made by the server. */
  content: string
  is_me_message: boolean
  /** The channel; only for channel messages. */
  stream_id?: number
  /** The topic; '' for direct messages, and for the empty topic. */
  subject: string
  /** The channel's name, or everybody in the conversation. */
  display_recipient: string | readonly DirectRecipient[]
  topic_links: readonly { text: string; url: string }[]
  reactions: Reaction[]
  submessages: Submessage[]
  flags: string[]
  /** UNIX seconds. */
  last_edit_timestamp?: number
  last_moved_timestamp?: number
  /** HTML of a search result, with the hits marked. */
  match_content?: string
  match_subject?: string
}

interface UserTopic {
  stream_id: number
  topic_name: string
  last_updated: number
  /** 0 nothing, 1 muted, 2 unmuted, 3 followed. */
  visibility_policy: number
}

export interface UserStatus {
  status_text?: string
  emoji_name?: string
  emoji_code?: string
  reaction_type?: string
  away?: boolean
}

export interface Draft {
  id: number
  type: '' | 'stream' | 'private' | 'channel' | 'direct'
  /** The channel's id alone, or the other people's. */
  to: number[]
  topic: string
  content: string
  /** UNIX seconds. */
  timestamp: number
}

/** Channels that are offered together at sign-up. */
export interface DefaultChannelGroup {
  id: number
  name: string
  description: string
  streams: number[]
}

export interface ScheduledMessage {
  scheduled_message_id: number
  type: 'stream' | 'private'
  /** The channel's id, or the other people's. */
  to: number | number[]
  topic?: string
  content: string
  rendered_content: string
  /** UNIX seconds. */
  scheduled_delivery_timestamp: number
  failed: boolean
}

export interface Reminder {
  reminder_id: number
  type: string
  to: number[]
  content: string
  rendered_content: string
  scheduled_delivery_timestamp: number
  failed: boolean
  reminder_target_message_id: number
}

export interface SavedSnippet {
  id: number
  title: string
  content: string
  date_created: number
}

export interface NavigationView {
  fragment: string
  is_pinned: boolean
  name: string | null
}

export interface CustomEmoji {
  id: string
  name: string
  source_url: string
  /** Address of a still picture of an animated one. */
  still_url: string | null
  deactivated: boolean
  author_id: number | null
}

export interface Linkifier {
  id: number
  pattern: string
  url_template: string
  /** A text that the pattern matches; null: none. */
  example_input: string | null
  /** The text of an address, with `{group}` for groups of the pattern; null: none. */
  reverse_template: string | null
  /** Further addresses that become the text. */
  alternative_url_templates: string[]
}

export interface Playground {
  id: number
  name: string
  pygments_language: string
  url_template: string
}

export interface ProfileField {
  id: number
  type: number
  order: number
  name: string
  hint: string
  field_data: string
  required: boolean
  editable_by_user: boolean
  display_in_profile_summary?: boolean
}

export interface Bot {
  user_id: number
  [name: string]: unknown
}

/** A service that can post here. */
export interface Integration {
  /** The name in addresses. */
  readonly name: string
  readonly display_name: string
  /** Null for a service without kinds of events. */
  readonly all_event_types: readonly string[] | null
  /** Parameters that its address may have. */
  readonly url_options: readonly {
    readonly key: string
    readonly label: string
    readonly input_type: 'text' | 'boolean'
  }[]
}

export interface Attachment {
  id: number
  name: string
  path_id: string
  /** Bytes. */
  size: number
  /** UNIX seconds. */
  create_time: number
  message_ids: number[]
}

/** UNIX seconds. */
export interface Presence {
  active_timestamp?: number
  idle_timestamp?: number
}

export interface UnreadSnapshot {
  count: number
  pms: { other_user_id: number; unread_message_ids: number[] }[]
  huddles: { user_ids_string: string; unread_message_ids: number[] }[]
  streams: { stream_id: number; topic: string; unread_message_ids: number[] }[]
  mentions: number[]
  old_unreads_missing: boolean
}

/** The server's permission settings, and to whom each may not be given. */
interface SupportedPermission {
  require_system_group: boolean
  allow_everyone_group: boolean
  allow_nobody_group: boolean
  default_group_name: string
  allowed_system_groups: readonly string[]
}

export type SupportedPermissions = Readonly<
  Record<'realm' | 'stream' | 'group', Readonly<Record<string, SupportedPermission>>>
>

/** The user's own settings that the page reads; the others are present under their API names. */
export interface UserSettings {
  [name: string]: unknown
  enter_sends: boolean
  color_scheme: number
  twenty_four_hour_time: boolean | null
  fluid_layout_width?: boolean
  web_font_size_px?: number
  web_line_height_percent?: number
  default_language: string
  web_home_view: string
  web_stream_unreads_count_display_policy: number
  desktop_icon_count_display: number
  demote_inactive_streams: number
  display_emoji_reaction_users: boolean
  enable_drafts_synchronization: boolean
  enable_desktop_notifications: boolean
  enable_sounds: boolean
  enable_stream_desktop_notifications: boolean
  enable_stream_audible_notifications: boolean
  enable_followed_topic_desktop_notifications: boolean
  enable_followed_topic_audible_notifications: boolean
  enable_followed_topic_wildcard_mentions_notify: boolean
  wildcard_mentions_notify: boolean
  pm_content_in_desktop_notifications: boolean
  presence_enabled: boolean
  send_private_typing_notifications: boolean
  send_stream_typing_notifications: boolean
  send_read_receipts: boolean
  starred_message_counts: boolean
  translate_emoticons: boolean
  user_list_style: number
  web_channel_default_view: number
  timezone: string
}

/** The answer of `POST /register`: keys that the page reads, and the rest. */
export interface Snapshot {
  avatar_source: 'G' | 'U'
  [name: string]: unknown
  queue_id: string
  last_event_id: number
  user_id: number
  realm_users: Omit<User, 'is_active'>[]
  realm_non_active_users: Omit<User, 'is_active'>[]
  cross_realm_bots: Omit<User, 'is_active'>[]
  realm_user_groups: WireUserGroup[]
  streams: WireChannel[]
  subscriptions: WireSubscription[]
  unsubscribed: WireSubscription[]
  never_subscribed: WireChannel[]
  channel_folders: ChannelFolder[]
  realm_default_streams: number[]
  realm_default_stream_groups: DefaultChannelGroup[]
  user_topics: UserTopic[]
  unread_msgs: UnreadSnapshot
  starred_messages: number[]
  recent_private_conversations: { user_ids: number[]; max_message_id: number }[]
  presences: Record<string, Presence>
  user_status: Record<string, UserStatus>
  user_settings: UserSettings
  muted_users: { id: number; timestamp: number }[]
  alert_words: string[]
  has_zoom_token: boolean
  drafts: Draft[]
  scheduled_messages: ScheduledMessage[]
  reminders: Reminder[]
  saved_snippets: SavedSnippet[]
  navigation_views: NavigationView[]
  onboarding_steps: { type: string; name: string }[]
  realm_emoji: Record<string, CustomEmoji>
  realm_linkifiers: Linkifier[]
  realm_playgrounds: Playground[]
  realm_domains: { domain: string; allow_subdomains: boolean }[]
  custom_profile_fields: ProfileField[]
  realm_bots: Bot[]
  realm_incoming_webhook_bots: Integration[]
}

/** Any event, as in GET /events. `apply-event.ts` handles each type. */
export interface WireEvent {
  readonly id: number
  readonly type: string
  readonly op?: string
  readonly [name: string]: unknown
}
