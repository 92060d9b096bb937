import type { Changes } from './changes.ts'
import type { Conversation, ConversationKey } from './conversation.ts'
import type { Narrow } from './narrow.ts'
import type {
  Attachment,
  Bot,
  ChannelFolder,
  CustomEmoji,
  Draft,
  GroupSettingValue,
  Linkifier,
  Message,
  NavigationView,
  PersonalChannelSettings,
  Playground,
  Presence,
  ProfileField,
  Reminder,
  SavedSnippet,
  ScheduledMessage,
  SupportedPermissions,
  TopicsPolicy,
  User,
  UserSettings,
  UserStatus,
  WireChannel,
  WireUserGroup,
} from './wire.ts'

/** A channel, and what the user has of their own in it. */
export type Channel = WireChannel & {
  /** Undefined for who is not subscribed. */
  subscription: PersonalChannelSettings | undefined
  /** Ids; undefined until they have been asked for (`learnSubscribers`). */
  subscribers: Set<number> | undefined
  /** The people who were announced in a channel since it became visible: whom its count had already. */
  announced?: Set<number>
}

/** A group. Its members are those listed: who is in it through a subgroup is not among them (`isInGroup`). */
export type UserGroup = Omit<WireUserGroup, 'members'> & { members: Set<number> }

/** The organization's settings, by their API names without `realm_`. Those that the page reads have types. */
export interface Organization {
  [name: string]: unknown
  name: string
  description: string
  icon_url: string
  url: string
  /** Seconds; null: no limit. */
  message_content_edit_limit_seconds: number | null
  message_content_delete_limit_seconds: number | null
  move_messages_within_stream_limit_seconds: number | null
  move_messages_between_streams_limit_seconds: number | null
  allow_message_editing: boolean
  message_edit_history_visibility_policy: 'all' | 'moves' | 'none'
  enable_read_receipts: boolean
  /** Days. */
  waiting_period_threshold: number
  topics_policy: Exclude<TopicsPolicy, 'inherit' | 'empty_topic_only'>
  /** The name that the topic without a name is shown with. */
  empty_topic_display_name: string
  invite_required: boolean
  enable_spectator_access: boolean
  /** -1: messages cannot be reported. */
  moderation_request_channel_id: number
  can_create_public_channel_group: GroupSettingValue
  can_create_private_channel_group: GroupSettingValue
  can_create_web_public_channel_group: GroupSettingValue
}

/** Limits and facts of the server, by their API names. Those that the page reads have types. */
export interface ServerFacts {
  [name: string]: unknown
  max_message_length: number
  max_topic_length: number
  max_stream_name_length: number
  max_stream_description_length: number
  max_file_upload_size_mib: number
  max_reminder_note_length: number
  password_min_length: number
  password_max_length: number
  /** Seconds. */
  event_queue_longpoll_timeout_seconds: number
  server_presence_ping_interval_seconds: number
  server_presence_offline_threshold_seconds: number
  server_typing_started_expiry_period_milliseconds: number
  server_typing_stopped_wait_period_milliseconds: number
  server_typing_started_wait_period_milliseconds: number
  server_emoji_data_url: string
  /** One's own address, if its server has said that it takes no mail, as it was when the page began. */
  delivery_email_refused: { readonly address: string; readonly since: number; readonly reason: string } | null
  server_web_public_streams_enabled: boolean
  server_supported_permission_settings: SupportedPermissions
}

export interface UnreadMessage {
  readonly id: number
  conversation: UnreadConversation
  /** Whether one is mentioned by name, or as one of a group. */
  mentioned: boolean
  /** Whether one is mentioned with everybody in the channel or topic: counts only where that is not muted. */
  wildcard: boolean
  /** The message's own flags have been seen. Until then a snapshot's word on mentions is all there is. */
  isCertain: boolean
}

export interface UnreadConversation {
  readonly key: ConversationKey
  /** A topic is spelled as by its newest unread message. */
  conversation: Conversation
  newestId: number
  readonly ids: Set<number>
}

/** Everything unread, muted or not, in channels that one is subscribed to and in direct messages. */
export interface Unread {
  readonly byId: Map<number, UnreadMessage>
  readonly conversations: Map<ConversationKey, UnreadConversation>
  /** Keys of the conversations of each channel. */
  readonly channels: Map<number, Set<ConversationKey>>
  /** Ids with any kind of mention, or of which it is not known. */
  readonly mentions: Set<number>
  /** Ids whose flags must be fetched, because whether they count as mentions has changed and only their flags tell. */
  readonly toLookAt: Set<number>
  /** There are more than the snapshot could hold. */
  readonly isCut: boolean
}

export interface TopicEntry {
  /** The name as its newest known message spells it. */
  name: string
  newestId: number
}

/** The topics of a channel, by name in lower case: those of messages seen, and all of them once they have been asked for. */
export interface TopicsOfChannel {
  readonly byKey: Map<string, TopicEntry>
  isComplete: boolean
}

/**
 * The messages of a narrow that are known: all of them between the first id and the last. Beyond these ends nothing is
 * known, unless an end is the narrow's own (`atOldest`, `atNewest`).
 */
export interface MessageWindow {
  readonly key: string
  readonly narrow: Narrow
  /** Ascending. */
  ids: number[]
  atOldest: boolean
  atNewest: boolean
  /** False until the first answer. */
  isLoaded: boolean
  /** Whether it is from before a new registration: shown until an answer around where somebody reads replaces it. */
  isStale: boolean
  /** The messages that came since a search, of which the server must say whether they belong. */
  readonly toMatch: Set<number>
  /** Somebody looks at it: it is not shortened or dropped. */
  isOpen: boolean
}

/** A question that is on its way: what events say meanwhile is newer than the answer, or is in it already. */
export interface MessageFetch {
  /** Ids that events have spoken of. */
  readonly touched: Set<number>
  /** The ids of messages that are gone. */
  readonly removed: Set<number>
}

/** A message that the user has sent and that is not among the messages yet. */
export interface OutgoingMessage {
  /** Its name until it has an id, and the key of its row for good (`rowKey`). */
  readonly localId: string
  /** Sent along each time: however often it is tried, one message comes of it. */
  readonly idempotencyKey: string
  /** The queue it was first sent with. Another one would be another request under the same key. */
  readonly queueId: string
  readonly conversation: Conversation
  /** Markdown. */
  readonly content: string
  /** UNIX seconds. */
  readonly sentAt: number
  /** `accepted`: the server has it, its event has not come. `failed` says in `failure` why. */
  status: 'sending' | 'accepted' | 'failed'
  failure?: SendFailure
  /** Once it is known. */
  messageId?: number
}

export interface SendFailure {
  /** The API's `code`; `NETWORK` where there was no answer: it may have been sent all the same. */
  readonly code: string
  /** The server's own sentence; '' without one. */
  readonly text: string
  /** The server has refused it as it is: trying again is of no use before something else has changed. */
  readonly isRefused: boolean
}

export interface Outbox {
  readonly byLocalId: Map<string, OutgoingMessage>
  /** Local names of own messages of this session, by id: a row keeps its key when its message gets an id. */
  readonly localIds: Map<number, string>
}

export interface RecentConversation {
  readonly conversation: Conversation
  /** The id of its newest known message. */
  readonly newestId: number
}

/** Conversations that the page knows messages of, and the direct ones that the snapshot names. */
export type RecentConversations = Map<ConversationKey, RecentConversation>

/** The people who type, and until when (milliseconds), by conversation, or `edit 12` of a message that is being edited. */
export type TypingState = Map<ConversationKey, Map<number, number>>

export interface TopicPolicyEntry {
  /** The topic as it was spelled. */
  readonly topic: string
  /** 1 muted, 2 unmuted, 3 followed. */
  readonly policy: number
  /** UNIX seconds. */
  readonly lastUpdated: number
}

/**
 * All that the page knows: what the snapshot said, brought up to date by events (`applyEvents`), and the messages that
 * were fetched. Plain maps, changed in place by the functions of this folder and by nothing else; who shows part of it
 * listens to `changes` (see there). Views read it and never write.
 */
export interface ChatState {
  readonly changes: Changes
  /** One's own id. The account is in `users`. */
  readonly me: number
  queueId: string
  organization: Organization
  server: ServerFacts
  settings: UserSettings
  /** All who may be seen, closed accounts and the server's own bots too. */
  readonly users: Map<number, User>
  readonly groups: Map<number, UserGroup>
  readonly channels: Map<number, Channel>
  readonly folders: Map<number, ChannelFolder>
  defaultChannels: number[]
  /** The policies by channel, then by topic in lower case. */
  readonly topicPolicies: Map<number, Map<string, TopicPolicyEntry>>
  readonly topics: Map<number, TopicsOfChannel>
  readonly unread: Unread
  readonly messages: Map<number, Message>
  /** The number of messages in memory at which those that no window shows are dropped (`dropLooseMessages`). */
  sweepAt: number
  /** The windows by `narrowKey`. */
  readonly windows: Map<string, MessageWindow>
  readonly fetches: Set<MessageFetch>
  /** Ids of messages that must be fetched, because events speak of them and the page does not know them. */
  readonly wanted: Set<number>
  /** Ids of messages from before a new registration: they are shown until they have been fetched again. */
  readonly stale: Set<number>
  readonly outbox: Outbox
  readonly starred: Set<number>
  readonly recent: RecentConversations
  readonly presences: Map<number, Presence>
  readonly statuses: Map<number, UserStatus>
  readonly typing: TypingState
  readonly mutedUsers: Set<number>
  alertWords: readonly string[]
  readonly drafts: Map<number, Draft>
  readonly scheduled: Map<number, ScheduledMessage>
  readonly reminders: Map<number, Reminder>
  readonly snippets: Map<number, SavedSnippet>
  navigationViews: readonly NavigationView[]
  onboardingSteps: readonly { readonly type: string; readonly name: string }[]
  emoji: Readonly<Record<string, CustomEmoji>>
  linkifiers: readonly Linkifier[]
  playgrounds: readonly Playground[]
  domains: readonly { readonly domain: string; readonly allow_subdomains: boolean }[]
  profileFields: readonly ProfileField[]
  readonly bots: Map<number, Bot>
  /** Undefined until they have been asked for. */
  attachments: Map<number, Attachment> | undefined
  /** Groups that one is in; undefined when it must be worked out anew (`myGroups`). */
  ownGroups: ReadonlySet<number> | undefined
}
