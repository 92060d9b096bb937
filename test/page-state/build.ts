import { DEFAULT_CHANNEL_PROPERTIES } from '../../src/core/channel-properties.ts'
import { NOTHING_SHOWN } from '../../src/core/shown-settings.ts'
import { systemGroupId } from '../../src/rules/system-groups.ts'
import {
  type ChatState,
  createState,
  type Message,
  type Snapshot,
  type User,
  type WireEvent,
  type WireSubscription,
} from '../../web/state/index.ts'

export const ME = 9

/** The time of the test, in milliseconds. */
export const NOW = 1_800_000_000_000

const EVERYONE = systemGroupId('role:everyone')
const NOBODY = systemGroupId('role:nobody')

export function buildUser(user_id: number, facts: Partial<User> = {}): User {
  return {
    user_id,
    full_name: `Person ${user_id}`,
    email: `person${user_id}@example.com`,
    delivery_email: `person${user_id}@example.com`,
    role: 400,
    is_bot: false,
    bot_type: null,
    bot_owner_id: null,
    is_owner: false,
    is_admin: false,
    is_guest: false,
    ...NOTHING_SHOWN,
    date_joined: '2026-01-01T00:00:00+00:00',
    avatar_url: `/user_avatars/${user_id}.png`,
    avatar_version: 1,
    is_imported_stub: false,
    is_active: true,
    ...facts,
  }
}

export function buildSubscription(
  stream_id: number,
  facts: Partial<WireSubscription> = {},
): WireSubscription {
  return {
    stream_id,
    name: `channel ${stream_id}`,
    description: '',
    rendered_description: '',
    date_created: 1_700_000_000,
    creator_id: null,
    invite_only: false,
    is_web_public: false,
    history_public_to_subscribers: true,
    first_message_id: null,
    folder_id: null,
    is_recently_active: true,
    is_archived: false,
    is_announcement_only: false,
    stream_post_policy: 1,
    message_retention_days: null,
    ...DEFAULT_CHANNEL_PROPERTIES,
    subscriber_count: 2,
    stream_weekly_traffic: null,
    can_add_subscribers_group: NOBODY,
    can_administer_channel_group: NOBODY,
    can_create_topic_group: EVERYONE,
    can_delete_any_message_group: NOBODY,
    can_delete_own_message_group: NOBODY,
    can_move_messages_out_of_channel_group: NOBODY,
    can_move_messages_within_channel_group: NOBODY,
    can_remove_subscribers_group: NOBODY,
    can_resolve_topics_group: NOBODY,
    can_send_message_group: EVERYONE,
    can_subscribe_group: NOBODY,
    color: '#76ce90',
    pin_to_top: false,
    is_muted: false,
    in_home_view: true,
    desktop_notifications: null,
    audible_notifications: null,
    email_notifications: null,
    push_notifications: null,
    wildcard_mentions_notify: null,
    ...facts,
  }
}

/** Builds two subscribed channels, 1 and 2, and an unsubscribed one, 3; users 9 (the reader), 4 and 7. */
export function buildSnapshot(facts: Partial<Snapshot> = {}): Snapshot {
  const subscriptions = [buildSubscription(1), buildSubscription(2)]
  const others = [buildSubscription(3)]
  return {
    avatar_source: 'G',
    queue_id: 'queue-1',
    last_event_id: -1,
    user_id: ME,
    realm_users: [ME, 4, 7].map((id) => buildUser(id)),
    realm_non_active_users: [],
    cross_realm_bots: [],
    realm_user_groups: [],
    streams: [...subscriptions, ...others].map((one) => ({ ...one })),
    subscriptions,
    unsubscribed: [],
    never_subscribed: others,
    channel_folders: [],
    realm_default_streams: [],
    realm_default_stream_groups: [],
    user_topics: [],
    unread_msgs: {
      count: 0,
      pms: [],
      huddles: [],
      streams: [],
      mentions: [],
      old_unreads_missing: false,
    },
    starred_messages: [],
    recent_private_conversations: [],
    presences: {},
    user_status: {},
    user_settings: {
      web_stream_unreads_count_display_policy: 2,
      desktop_icon_count_display: 1,
    } as Snapshot['user_settings'],
    muted_users: [],
    alert_words: [],
    has_zoom_token: false,
    drafts: [],
    scheduled_messages: [],
    reminders: [],
    saved_snippets: [],
    navigation_views: [],
    onboarding_steps: [],
    realm_emoji: {},
    realm_linkifiers: [],
    realm_playgrounds: [],
    realm_incoming_webhook_bots: [],
    realm_domains: [],
    custom_profile_fields: [],
    realm_bots: [],
    realm_name: 'Lighthouse',
    realm_topics_policy: 'allow_empty_topic',
    max_message_length: 10_000,
    server_presence_offline_threshold_seconds: 140,
    server_typing_started_expiry_period_milliseconds: 15_000,
    ...facts,
  } as Snapshot
}

export function buildState(facts: Partial<Snapshot> = {}): ChatState {
  return createState(buildSnapshot(facts))
}

/** Returns an unread message in channel 1, topic lunch, from user 4, unless `facts` say otherwise. */
export function buildMessage(id: number, facts: Partial<Message> = {}): Message {
  return {
    id,
    type: 'stream',
    sender_id: 4,
    sender_full_name: 'Person 4',
    sender_email: 'person4@example.com',
    sender_realm_str: '',
    avatar_url: null,
    client: 'website',
    timestamp: 1_800_000_000 + id,
    content: `<p>${id}</p>`,
    content_type: 'text/html',
    is_me_message: false,
    stream_id: 1,
    subject: 'lunch',
    display_recipient: 'channel 1',
    recipient_id: 1,
    topic_links: [],
    reactions: [],
    submessages: [],
    flags: [],
    ...facts,
  }
}

export function buildDirectMessage(
  id: number,
  people: readonly number[],
  facts: Partial<Message> = {},
): Message {
  const { stream_id: _none, ...message } = buildMessage(id, {
    type: 'private',
    subject: '',
    display_recipient: people.map((one) => ({
      id: one,
      email: `person${one}@example.com`,
      full_name: `Person ${one}`,
      is_mirror_dummy: false,
    })),
    ...facts,
  })
  return message
}

let events = 0

export function buildEvent(type: string, facts: Record<string, unknown>): WireEvent {
  events += 1
  return { id: events, type, ...facts }
}

export function messageEvent(message: Message, facts: Record<string, unknown> = {}): WireEvent {
  const { flags, ...rest } = message
  return buildEvent('message', { message: rest, flags, ...facts })
}
