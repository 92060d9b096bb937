import * as v from 'valibot'

/**
 * Schemas of the data that the official mobile client reads (clients.md). If a field is missing, has another type or
 * another value, the client drops the whole response. Fields that it does not read may be anything.
 */
export const integer = v.pipe(v.number(), v.integer())
export const text = v.string()
export const flag = v.boolean()
export const integers = v.array(integer)
const when = v.pipe(text, v.regex(/^\d{4}-\d\d-\d\dT/))

/** An object keyed by ids. */
export function byId<Value extends v.GenericSchema>(value: Value) {
  return v.record(v.pipe(text, v.regex(/^\d+$/)), value)
}

/** A list of ids that rises and has none twice, which the client asserts. */
export const risingIds = v.pipe(
  integers,
  v.check((ids) => ids.every((id, index) => index === 0 || id > ids[index - 1]!), 'do not rise'),
)

/** The kinds of emoji that the client knows; it throws on any other. */
const emojiKind = v.picklist(['unicode_emoji', 'realm_emoji', 'zulip_extra_emoji'])

const groupSetting = v.union([
  integer,
  v.looseObject({ direct_members: integers, direct_subgroups: integers }),
])

/** An entry of `realm_users`, `realm_non_active_users` or `cross_realm_bots`. */
export const listedUser = v.looseObject({
  user_id: integer,
  delivery_email: v.nullish(text),
  email: text,
  full_name: text,
  date_joined: when,
  is_active: v.optional(flag),
  is_bot: flag,
  bot_type: v.nullish(integer),
  bot_owner_id: v.nullish(integer),
  role: integer,
  timezone: text,
  avatar_url: v.nullish(text),
  avatar_version: integer,
  profile_data: v.nullish(byId(v.looseObject({ value: text, rendered_value: v.nullish(text) }))),
  is_system_bot: v.nullish(flag),
})

/** A new user, for whom the field `is_active` is required too. */
export const newUser = v.looseObject({ ...listedUser.entries, is_active: flag })

export const channel = v.looseObject({
  stream_id: integer,
  name: text,
  is_archived: v.nullish(flag),
  description: text,
  rendered_description: text,
  date_created: integer,
  first_message_id: v.nullish(integer),
  folder_id: v.nullish(integer),
  invite_only: flag,
  is_web_public: flag,
  history_public_to_subscribers: flag,
  message_retention_days: v.nullish(integer),
  stream_post_policy: v.nullish(v.picklist([1, 2, 3, 4])),
  can_add_subscribers_group: v.nullish(groupSetting),
  can_delete_any_message_group: v.nullish(groupSetting),
  can_delete_own_message_group: v.nullish(groupSetting),
  can_send_message_group: v.nullish(groupSetting),
  can_subscribe_group: v.nullish(groupSetting),
  is_recently_active: v.nullish(flag),
  stream_weekly_traffic: v.nullish(integer),
})

const colour = v.pipe(text, v.regex(/^#[0-9a-f]{6}$/))

export const subscription = v.looseObject({
  ...channel.entries,
  desktop_notifications: v.nullish(flag),
  email_notifications: v.nullish(flag),
  wildcard_mentions_notify: v.nullish(flag),
  push_notifications: v.nullish(flag),
  audible_notifications: v.nullish(flag),
  pin_to_top: flag,
  is_muted: flag,
  color: colour,
})

/** The values of the channel properties that the client keeps. */
export const CHANNEL_PROPERTIES: Readonly<Record<string, v.GenericSchema>> = {
  name: text,
  is_archived: flag,
  description: text,
  first_message_id: v.nullable(integer),
  invite_only: flag,
  message_retention_days: v.nullable(integer),
  stream_post_policy: v.picklist([1, 2, 3, 4]),
  folder_id: v.nullable(integer),
  can_add_subscribers_group: groupSetting,
  can_delete_any_message_group: groupSetting,
  can_delete_own_message_group: groupSetting,
  can_send_message_group: groupSetting,
  can_subscribe_group: groupSetting,
  is_recently_active: flag,
  stream_weekly_traffic: v.nullable(integer),
}

/** The values of the subscription properties that the client keeps. */
export const SUBSCRIPTION_PROPERTIES: Readonly<Record<string, v.GenericSchema>> = {
  color: colour,
  is_muted: flag,
  pin_to_top: flag,
  desktop_notifications: flag,
  audible_notifications: flag,
  push_notifications: flag,
  email_notifications: flag,
  wildcard_mentions_notify: flag,
}

/** The values of the user's settings that the client keeps. */
export const USER_SETTINGS: Readonly<Record<string, v.GenericSchema>> = {
  twenty_four_hour_time: flag,
  starred_message_counts: flag,
  display_emoji_reaction_users: flag,
  emojiset: text,
  presence_enabled: flag,
}

export const userGroup = v.looseObject({
  id: integer,
  members: integers,
  direct_subgroup_ids: integers,
  name: text,
  description: text,
  is_system_group: flag,
  deactivated: v.nullish(flag),
})

export const emoji = v.looseObject({
  id: text,
  name: text,
  source_url: text,
  still_url: v.nullish(text),
  deactivated: flag,
  author_id: v.nullish(integer),
})

export const customEmoji = v.record(text, emoji)

/** A device on which the user is logged in: the client compares the ids with those of its own key and token. */
export const clientDevice = v.looseObject({
  push_key_id: v.nullish(integer),
  push_token_id: v.nullish(text),
  pending_push_token_id: v.nullish(text),
  push_token_last_updated_timestamp: v.nullish(integer),
  push_registration_error_code: v.nullish(text),
})

export const profileField = v.looseObject({
  id: integer,
  type: integer,
  order: integer,
  name: text,
  hint: text,
  field_data: text,
  display_in_profile_summary: v.nullish(flag),
})

export const mutedUser = v.looseObject({ id: integer })
export const savedSnippet = v.looseObject({ id: integer, title: text, content: text, date_created: integer })
export const folder = v.looseObject({
  id: integer,
  name: text,
  order: v.nullish(integer),
  date_created: v.nullish(integer),
  creator_id: v.nullish(integer),
  description: text,
  rendered_description: text,
  is_archived: flag,
})

/** An emoji that was removed has an empty code. */
export const userStatus = v.looseObject({
  status_text: v.nullish(text),
  emoji_name: v.nullish(text),
  emoji_code: v.nullish(text),
  reaction_type: v.nullish(v.union([emojiKind, v.literal('')])),
})

export const reaction = v.looseObject({
  emoji_name: text,
  emoji_code: text,
  reaction_type: emojiKind,
  user_id: integer,
})

const votes = v.variant('type', [
  v.looseObject({ type: v.literal('new_option'), option: text, idx: integer }),
  v.looseObject({ type: v.literal('question'), question: text }),
  v.looseObject({
    type: v.literal('vote'),
    key: v.pipe(text, v.regex(/^(?:canned|\d+),\d+$/)),
    vote: integer,
  }),
])
const json = v.pipe(text, v.parseJson())
const widget = v.variant('widget_type', [
  v.looseObject({
    widget_type: v.literal('poll'),
    extra_data: v.looseObject({ question: v.nullish(text), options: v.nullish(v.array(text)) }),
  }),
  v.looseObject({ widget_type: v.picklist(['todo', 'zform']) }),
])

/**
 * The first submessage says what the widget is, and comes from the message's sender; the client reads later ones in polls
 * only.
 */
const submessages = v.pipe(
  v.array(v.looseObject({ sender_id: integer, msg_type: text, content: json })),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed || dataset.value.length === 0) return
    const [first, ...later] = dataset.value.map(({ content }) => content)
    const kind = v.safeParse(widget, first)
    const isRight =
      kind.success &&
      (kind.output.widget_type !== 'poll' || later.every((content) => v.safeParse(votes, content).success))
    if (!isRight) addIssue({ message: 'are no widget' })
  }),
)

const edits = v.pipe(
  v.array(
    v.union([
      v.looseObject({ prev_topic: text, topic: text }),
      v.looseObject({ prev_topic: v.optional(v.null()) }),
    ]),
  ),
  v.minLength(1),
)

const anyMessage = {
  client: text,
  content: text,
  content_type: text,
  edit_history: v.nullish(edits),
  id: integer,
  is_me_message: flag,
  last_edit_timestamp: v.nullish(integer),
  reactions: v.array(reaction),
  recipient_id: integer,
  sender_email: text,
  sender_full_name: text,
  sender_id: integer,
  sender_realm_str: text,
  timestamp: integer,
  submessages: v.nullish(submessages),
  match_content: v.nullish(text),
  match_subject: v.nullish(text),
}

const inChannel = { type: v.literal('stream'), stream_id: integer, subject: text, display_recipient: text }
/** All participants of the conversation, each once. */
const direct = {
  type: v.literal('private'),
  display_recipient: v.pipe(
    v.array(v.looseObject({ id: integer })),
    v.check((people) => new Set(people.map(({ id }) => id)).size === people.length, 'has somebody twice'),
  ),
}

/** A message of `GET /messages`. */
export const message = v.variant('type', [
  v.looseObject({ ...anyMessage, ...inChannel, flags: v.array(text) }),
  v.looseObject({ ...anyMessage, ...direct, flags: v.array(text) }),
])

/** A message of an event, in which the flags are next to the message. */
export const eventMessage = v.variant('type', [
  v.looseObject({ ...anyMessage, ...inChannel }),
  v.looseObject({ ...anyMessage, ...direct }),
])
