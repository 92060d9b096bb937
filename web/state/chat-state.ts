import type { Changes } from './changes.ts'
import type { Conversation, ConversationKey, Move } from './conversation.ts'
import type { Narrow } from './narrow.ts'
import type {
  Attachment,
  Bot,
  ChannelFolder,
  CustomEmoji,
  DefaultChannelGroup,
  Draft,
  Integration,
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
  Snapshot,
  User,
  UserSettings,
  UserStatus,
  WireChannel,
  WireUserGroup,
} from './wire.ts'

/** A channel, with the user's own settings of it. */
export type Channel = WireChannel & {
  /** Undefined for a user who is not subscribed. */
  subscription: PersonalChannelSettings | undefined
  /** Ids; undefined until they have been fetched (`learnSubscribers`). */
  subscribers: Set<number> | undefined
  /** People who were announced in a channel since it became visible, and whom its count includes already. */
  announced?: Set<number>
}

/** A group. Its members are the listed ones; members through a subgroup are not among them (`isInGroup`). */
export type UserGroup = Omit<WireUserGroup, 'members'> & { members: Set<number> }

/** The organization's settings, by their API names without `realm_`, as events change them. */
export type Organization = {
  [Name in keyof Snapshot as Name extends `realm_${infer Own}` ? Own : never]: Snapshot[Name]
}

/** Limits and facts of the server that the page reads, by their API names. */
export type ServerFacts = Pick<
  Snapshot,
  | `max_${'message' | 'topic' | 'stream_name' | 'stream_description' | 'reminder_note'}_length`
  | 'max_file_upload_size_mib'
  | `password_${'min' | 'max'}_length`
  | Extract<keyof Snapshot, `server_${string}`>
  | 'event_queue_longpoll_timeout_seconds'
  | `${'giphy' | 'tenor'}_api_key`
  // The user's own address, as of the start of the page.
  | `delivery_email_${'unconfirmed' | 'refused'}`
>

export interface UnreadMessage {
  readonly id: number
  conversation: UnreadConversation
  /** Whether the user is mentioned by name, or by a group. */
  mentioned: boolean
  /**
   * Whether the user is mentioned with everybody in the channel or topic, which counts only if that is not muted.
   */
  wildcard: boolean
  /**
   * Whether the message's own flags are known. Until then only the snapshot says something about mentions.
   */
  isCertain: boolean
}

export interface UnreadConversation {
  readonly key: ConversationKey
  /** The conversation; a topic in the spelling of its newest unread message. */
  conversation: Conversation
  newestId: number
  readonly ids: Set<number>
}

/** Everything unread, muted or not, in subscribed channels and in direct messages. */
export interface Unread {
  readonly byId: Map<number, UnreadMessage>
  readonly conversations: Map<ConversationKey, UnreadConversation>
  /** Keys of the conversations of each channel. */
  readonly channels: Map<number, Set<ConversationKey>>
  /** Ids with any kind of mention, or for which that is not known. */
  readonly mentions: Set<number>
  /**
   * Ids whose flags must be fetched, because they may have begun or ceased to count as mentions, which only their flags show.
   */
  readonly toLookAt: Set<number>
  /** Whether there are more than the snapshot could hold. */
  readonly isCut: boolean
}

export interface TopicEntry {
  /** The name in the spelling of its newest known message. */
  name: string
  newestId: number
}

/**
 * The topics of a channel, by name in lower case: those of known messages, and all of them once they have
 * been fetched.
 */
export interface TopicsOfChannel {
  readonly byKey: Map<string, TopicEntry>
  isComplete: boolean
}

/**
 * The known messages of a narrow: all of them between the first id and the last. Beyond these ends nothing is
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
  /**
   * Whether it predates a new registration, and is shown until an answer around the reader's position replaces it.
   */
  isStale: boolean
  /** Messages that arrived after a search, for which the server must decide whether they match. */
  readonly toMatch: Set<number>
  /** Whether the user is looking at it, so that it is not shortened or dropped. */
  isOpen: boolean
}

/** A request under way. Events in the meantime are newer than the answer, or already in it. */
export interface MessageFetch {
  /** Ids that events have named. */
  readonly touched: Set<number>
  /** Ids of messages that are gone. */
  readonly removed: Set<number>
  /** Ids of channels that are no longer visible. */
  readonly removedChannels: Set<number>
}

/** A message that the user has sent and that is not among the messages yet. */
export interface OutgoingMessage {
  /** Its name until it has an id, and the permanent key of its row (`rowKey`). */
  readonly localId: string
  /** Sent with each try, so that they make only one message. */
  readonly idempotencyKey: string
  /** The queue with which it was first sent. With another one, the same key would belong to a different request. */
  readonly queueId: string
  /** It follows the topic, until the message is sent. */
  conversation: Conversation
  /** Markdown. */
  readonly content: string
  /** UNIX seconds. */
  readonly sentAt: number
  /** `accepted`: the server has it, its event has not come. `failed`: `failure` has the reason. */
  status: 'sending' | 'accepted' | 'failed'
  failure?: SendFailure
  /** Present once it is known. */
  messageId?: number
}

export interface SendFailure {
  /** The API's `code`; `NETWORK` if there was no answer, and the message may have been sent. */
  readonly code: string
  /** The server's own sentence; '' without one. */
  readonly text: string
  /** Whether the server has refused it: a retry is useless before something else has changed. */
  readonly isRefused: boolean
}

export interface Outbox {
  readonly byLocalId: Map<string, OutgoingMessage>
  /**
   * Local names of the user's messages of this session, by id: a row keeps its key when its message gets an
   * id.
   */
  readonly localIds: Map<number, string>
}

export interface RecentConversation {
  readonly conversation: Conversation
  /** Id of its newest known message. */
  readonly newestId: number
}

/** Conversations with known messages, and the direct ones in the snapshot. */
type RecentConversations = Map<ConversationKey, RecentConversation>

/**
 * People who type, and until when (milliseconds), by conversation, or `edit 12` for a message that is being
 * edited.
 */
export type TypingState = Map<ConversationKey, Map<number, number>>

export interface TopicPolicyEntry {
  /** The topic in its spelling. */
  readonly topic: string
  /** 1 muted, 2 unmuted, 3 followed. */
  readonly policy: number
  /** UNIX seconds. */
  readonly lastUpdated: number
}

/**
 * The state of the page: the snapshot, kept up to date by events (`applyEvents`), and fetched messages.
 * Plain maps, changed in place only by the functions of this folder; a view that shows part of it listens to
 * `changes` (see there). Views read it and never write.
 */
export interface ChatState {
  readonly changes: Changes
  /** The user's own id. The account is in `users`. */
  readonly me: number
  queueId: string
  organization: Organization
  server: ServerFacts
  settings: UserSettings
  /** Everybody who may be seen, closed accounts and the server's own bots too. */
  readonly users: Map<number, User>
  readonly groups: Map<number, UserGroup>
  readonly channels: Map<number, Channel>
  readonly folders: Map<number, ChannelFolder>
  defaultChannels: number[]
  /** Those that are offered at sign-up, in groups. */
  offeredChannels: ReadonlySet<number>
  defaultGroups: readonly DefaultChannelGroup[]
  /** Policies by channel, then by topic in lower case. */
  readonly topicPolicies: Map<number, Map<string, TopicPolicyEntry>>
  readonly topics: Map<number, TopicsOfChannel>
  readonly unread: Unread
  readonly messages: Map<number, Message>
  /** Number of messages in memory at which those that no window shows are dropped (`dropLooseMessages`). */
  sweepAt: number
  /** Windows by `narrowKey`. */
  readonly windows: Map<string, MessageWindow>
  readonly fetches: Set<MessageFetch>
  /** Ids of unknown messages that events name, and that must be fetched. */
  readonly wanted: Set<number>
  /** Ids of messages from before a new registration: they are shown until they have been fetched again. */
  readonly stale: Set<number>
  readonly outbox: Outbox
  /** Moves of the last events, for views that follow them; taken out after each batch. */
  readonly moves: Move[]
  readonly starred: Set<number>
  readonly recent: RecentConversations
  readonly presences: Map<number, Presence>
  readonly statuses: Map<number, UserStatus>
  readonly typing: TypingState
  readonly mutedUsers: Set<number>
  alertWords: readonly string[]
  /** Whether the user is logged in at Zoom, so that their calls can be made there. */
  hasZoomToken: boolean
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
  /** Services that can post here. */
  integrations: readonly Integration[]
  /** Undefined until they have been fetched. */
  attachments: Map<number, Attachment> | undefined
  /** Groups of the user; undefined when they must be computed anew (`myGroups`). */
  ownGroups: ReadonlySet<number> | undefined
}
