import * as v from 'valibot'

/**
 * Schemas of the keys that the terminal client reads without checking that they exist (clients.md): a missing key ends
 * the client, or the thread that keeps its state.
 */
const integer = v.pipe(v.number(), v.integer())
const integers = v.array(integer)
const text = v.string()
const flag = v.boolean()
const flags = v.array(text)

const user = v.looseObject({
  user_id: integer,
  full_name: text,
  email: text,
  timezone: text,
  date_joined: text,
  is_bot: flag,
  role: v.picklist([100, 200, 300, 400, 600]),
  is_admin: flag,
  is_guest: flag,
})

const subscription = v.looseObject({
  stream_id: integer,
  name: text,
  description: text,
  rendered_description: text,
  date_created: integer,
  invite_only: flag,
  is_web_public: flag,
  subscribers: integers,
  desktop_notifications: v.nullable(flag),
  pin_to_top: flag,
  is_muted: flag,
  in_home_view: flag,
  stream_post_policy: v.picklist([1, 2, 3, 4]),
  color: v.pipe(text, v.regex(/^#[0-9A-Fa-f]{6}$/)),
  message_retention_days: v.nullable(integer),
  history_public_to_subscribers: flag,
  first_message_id: v.nullable(integer),
  stream_weekly_traffic: v.nullable(integer),
})

const seen = v.looseObject({ status: v.picklist(['active', 'idle', 'offline']), timestamp: v.number() })
/** Presence by address; for each user the aggregate of all clients. */
export const presences = v.record(
  v.pipe(text, v.includes('@')),
  v.objectWithRest({ aggregated: seen, website: seen }, seen),
)

const customEmoji = v.record(text, v.looseObject({ name: text, deactivated: flag }))
const unread = { unread_message_ids: integers }

/** The settings that the client looks for besides all others, as it did before settings were one object. */
const flatSettings = { twenty_four_hour_time: flag, pm_content_in_desktop_notifications: flag }

const settings = v.looseObject({ ...flatSettings, send_private_typing_notifications: flag })

const snapshotFields = {
  queue_id: text,
  last_event_id: integer,
  max_message_id: integer,
  zulip_version: text,
  zulip_feature_level: integer,
  user_id: integer,
  email: text,
  full_name: text,
  realm_name: text,
  realm_message_retention_days: v.nullable(integer),
  realm_allow_message_editing: flag,
  realm_message_content_edit_limit_seconds: v.nullable(integer),
  realm_allow_edit_history: flag,
  max_stream_name_length: integer,
  max_topic_length: integer,
  max_message_length: integer,
  muted_topics: v.array(v.tuple([text, text, integer])),
  presences,
  realm_emoji: customEmoji,
  realm_user_groups: v.array(v.looseObject({ id: integer, name: text, members: integers })),
  realm_users: v.array(user),
  cross_realm_bots: v.array(user),
  starred_messages: integers,
  subscriptions: v.array(subscription),
  unread_msgs: v.looseObject({
    mentions: integers,
    pms: v.array(v.looseObject({ sender_id: integer, ...unread })),
    streams: v.array(v.looseObject({ stream_id: integer, topic: text, ...unread })),
    huddles: v.array(v.looseObject({ user_ids_string: v.pipe(text, v.regex(/^\d+(?:,\d+)+$/)), ...unread })),
  }),
  user_settings: settings,
}

/** A released version of the terminal client (0.7): what it registers for, and what it reads of the answer. */
export const RELEASED_TERMINAL = {
  params: {
    event_types: [
      'message',
      'update_message',
      'reaction',
      'subscription',
      'typing',
      'update_message_flags',
      'update_global_notifications',
      'update_display_settings',
      'user_settings',
      'realm_emoji',
    ],
    narrow: [],
    fetch_event_types: [
      'realm',
      'presence',
      'subscription',
      'message',
      'starred_messages',
      'update_message_flags',
      'muted_topics',
      'realm_user',
      'realm_user_groups',
      'update_global_notifications',
      'update_display_settings',
      'user_settings',
      'realm_emoji',
      'zulip_version',
    ],
    client_gravatar: true,
    apply_markdown: true,
    include_subscribers: true,
  },
  snapshot: v.looseObject({ ...snapshotFields, ...flatSettings }),
}

/** The terminal client as it is developed (docs/interface/clients.md#the-terminal-client). */
export const COMING_TERMINAL = {
  params: {
    event_types: [
      'message',
      'update_message',
      'reaction',
      'submessage',
      'subscription',
      'typing',
      'update_message_flags',
      'user_settings',
      'realm_emoji',
      'realm_user',
    ],
    narrow: [],
    fetch_event_types: [
      'realm',
      'presence',
      'subscription',
      'message',
      'starred_messages',
      'update_message_flags',
      'muted_topics',
      'muted_users',
      'realm_user',
      'realm_user_groups',
      'user_settings',
      'realm_emoji',
      'custom_profile_fields',
      'zulip_version',
    ],
    client_capabilities: {
      notification_settings_null: true,
      bulk_message_deletion: true,
      user_settings_object: true,
    },
    client_gravatar: true,
    apply_markdown: true,
    include_subscribers: true,
  },
  snapshot: v.looseObject({
    ...snapshotFields,
    custom_profile_fields: v.array(
      v.looseObject({ id: integer, name: text, type: integer, order: integer, field_data: text }),
    ),
    muted_users: v.array(v.looseObject({ id: integer })),
  }),
}

/** A user who reacted. The client shows the name; for the id it accepts either of two keys. */
const reactor = v.union([
  v.looseObject({ id: integer, full_name: text, email: text }),
  v.looseObject({ user_id: integer, full_name: text, email: text }),
])
const reaction = { emoji_name: text, emoji_code: text, reaction_type: text, user: reactor }
const recipient = v.looseObject({ id: integer, email: text, full_name: text })
const messageFields = {
  id: integer,
  sender_id: integer,
  sender_email: text,
  sender_full_name: text,
  content: text,
  timestamp: integer,
  is_me_message: flag,
  reactions: v.array(v.looseObject(reaction)),
  submessages: v.array(v.looseObject({ content: text, sender_id: integer, msg_type: text })),
  topic_links: v.array(v.looseObject({ url: text, text })),
}
const inChannel = { type: v.literal('stream'), stream_id: integer, subject: text, display_recipient: text }
const direct = { type: v.literal('private'), display_recipient: v.array(recipient) }

export const message = v.variant('type', [
  v.looseObject({ ...messageFields, ...inChannel, flags }),
  v.looseObject({ ...messageFields, ...direct, flags }),
])

/** Schemas by type and op; the client reads nothing of other events. */
const EVENT_FORMS: Readonly<Record<string, v.GenericSchema>> = {
  message: v.looseObject({
    message: v.variant('type', [
      v.looseObject({ ...messageFields, ...inChannel }),
      v.looseObject({ ...messageFields, ...direct }),
    ]),
    flags,
  }),
  update_message: v.union([
    v.looseObject({
      message_id: integer,
      rendered_content: v.optional(text),
      subject: v.optional(v.never()),
    }),
    v.looseObject({
      message_id: integer,
      rendered_content: v.optional(text),
      subject: text,
      orig_subject: text,
      stream_id: integer,
      message_ids: integers,
    }),
  ]),
  'reaction add': v.looseObject({ message_id: integer, ...reaction }),
  'reaction remove': v.looseObject({ message_id: integer, emoji_code: text }),
  'subscription add': v.looseObject({ subscriptions: v.array(subscription) }),
  'subscription remove': v.looseObject({
    subscriptions: v.array(v.looseObject({ stream_id: integer, name: text })),
  }),
  'subscription update': v.looseObject({
    stream_id: integer,
    property: text,
    value: v.union([flag, text, v.null()]),
  }),
  'subscription peer_add': v.looseObject({ stream_ids: integers, user_ids: integers }),
  'subscription peer_remove': v.looseObject({ stream_ids: integers, user_ids: integers }),
  'typing start': v.looseObject({ sender: v.looseObject({ email: text, user_id: integer }) }),
  'typing stop': v.looseObject({ sender: v.looseObject({ email: text, user_id: integer }) }),
  'update_message_flags add': v.looseObject({
    operation: v.literal('add'),
    all: flag,
    flag: text,
    messages: integers,
  }),
  'update_message_flags remove': v.looseObject({
    operation: v.literal('remove'),
    all: flag,
    flag: text,
    messages: integers,
  }),
  update_global_notifications: v.looseObject({ notification_name: text, setting: v.unknown() }),
  update_display_settings: v.looseObject({ setting_name: text, setting: v.unknown() }),
  'user_settings update': v.looseObject({ property: text, value: v.unknown() }),
  'realm_emoji update': v.looseObject({ realm_emoji: customEmoji }),
}

/** The types whose content the client reads. */
export const TERMINAL_EVENT_TYPES = [...new Set(Object.keys(EVENT_FORMS).map((name) => name.split(' ')[0]!))]

export function terminalEventForm({ type, op }: { type: string; op?: string }): v.GenericSchema {
  return (
    EVENT_FORMS[op === undefined ? type : `${type} ${op}`] ??
    EVENT_FORMS[type] ??
    v.looseObject({ id: integer })
  )
}
