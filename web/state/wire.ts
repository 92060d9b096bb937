import type { InferOutput, ObjectSchema } from 'valibot'
import type { attachment } from '../../src/api/shared-answers.ts'
import type { ChannelProperties } from '../../src/core/channel-properties.ts'
import type { WireEvent as AnyEvent } from '../../src/events/event-type.ts'
import type { displayRecipientUser } from '../../src/events/message.ts'
import type { ClientCapability } from '../../src/events/queue.ts'
import type { ownBotSchema, userSchema } from '../../src/events/realm-user.ts'
import type { subscriptionEntries } from '../../src/events/subscription.ts'
import type { WholeSnapshot } from '../../src/features/events/register-answer.ts'
import type { messageSchema } from '../../src/features/messages/message-answer.ts'
import type { Role } from '../../src/rules/roles.ts'

/**
 * Objects as the API sends them, with its own names, from the declarations of the server: of the representations, those that
 * `REGISTER_OPTIONS` chooses.
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
    channel_pins: true,
  } satisfies Partial<Record<ClientCapability, boolean>>,
} as const

export type { GroupSettingValue } from '../../src/rules/group-setting-values.ts'
export type { Role } from '../../src/rules/roles.ts'

type Item<Name extends keyof WholeSnapshot> = WholeSnapshot[Name] extends readonly (infer One)[]
  ? One
  : WholeSnapshot[Name] extends Record<string, infer One>
    ? One
    : never

interface ListedUser extends Omit<InferOutput<typeof userSchema>, 'is_active' | 'is_system_bot'> {
  role: Role
}

export interface User extends ListedUser {
  /** False once the account is closed. The state sets it: the API has two lists. */
  is_active: boolean
  /** Whether it sends notices for the server itself. */
  is_system_bot?: boolean
  /** Of the user of the page alone: `U` for a picture of their own. */
  avatar_source?: WholeSnapshot['avatar_source']
}

export type WireUserGroup = Item<'realm_user_groups'>
export type TopicsPolicy = ChannelProperties['topics_policy']

/** A channel without the user's own settings of it. */
export type WireChannel = Required<Item<'streams'>>
type Subscription = InferOutput<ObjectSchema<typeof subscriptionEntries, undefined>>
export type WireSubscription = WireChannel & Omit<Subscription, keyof WireChannel>

/** A user's own settings of a channel. Null: as in the user's settings. */
export type PersonalChannelSettings = Omit<
  Subscription,
  keyof WireChannel | 'in_home_view' | 'subscribers' | 'partial_subscribers'
>

export type ChannelFolder = Item<'channel_folders'>
/** Channels that are offered together at sign-up. */
export type DefaultChannelGroup = Item<'realm_default_stream_groups'>

type AnsweredMessage = InferOutput<typeof messageSchema>
export type Reaction = Omit<AnsweredMessage['reactions'][number], 'user'>
export type Submessage = AnsweredMessage['submessages'][number]
export type Message = Omit<AnsweredMessage, 'reactions'> & { reactions: Reaction[] }
export type DirectRecipient = InferOutput<typeof displayRecipientUser>

export type UserStatus = Item<'user_status'>
export type Draft = Item<'drafts'>
export type ScheduledMessage = Item<'scheduled_messages'>
export type Reminder = Item<'reminders'>
export type SavedSnippet = Item<'saved_snippets'>
export type NavigationView = Item<'navigation_views'>
export type CustomEmoji = Item<'realm_emoji'>
export type Linkifier = Item<'realm_linkifiers'>
export type Playground = Item<'realm_playgrounds'>
export type ProfileField = Item<'custom_profile_fields'>
export type Bot = InferOutput<typeof ownBotSchema>
/** A service that can post here. */
export type Integration = Required<Item<'realm_incoming_webhook_bots'>>
export type Attachment = Required<InferOutput<typeof attachment>>
export type Presence = Extract<Item<'presences'>, { readonly active_timestamp: number }>
export type UserSettings = WholeSnapshot['user_settings']

interface Announced {
  realm_users: ListedUser[]
  realm_non_active_users: ListedUser[]
  cross_realm_bots: ListedUser[]
  streams: WireChannel[]
  subscriptions: WireSubscription[]
  unsubscribed: WireSubscription[]
  never_subscribed: WireChannel[]
  presences: Record<string, Presence>
  realm_bots: Bot[]
  realm_incoming_webhook_bots: Integration[]
}

/** The answer of `POST /register`. */
export type Snapshot = Omit<WholeSnapshot, keyof Announced> & Announced

/** Any event, as in GET /events. `apply-event.ts` handles each type. */
export type WireEvent = Readonly<AnyEvent & { id: number }>
