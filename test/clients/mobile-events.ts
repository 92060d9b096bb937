import * as v from 'valibot'
import {
  byId,
  CHANNEL_PROPERTIES,
  channel,
  clientDevice,
  customEmoji,
  emoji,
  eventMessage,
  flag,
  folder,
  integer,
  integers,
  mutedUser,
  newUser,
  profileField,
  reaction,
  SUBSCRIPTION_PROPERTIES,
  savedSnippet,
  subscription,
  text,
  USER_SETTINGS,
  userGroup,
  userStatus,
} from './mobile-models.ts'

const anyEvent = { id: integer, type: text }
const flags = v.array(text)
const inChannel = { stream_id: integer, topic: text }

/** An event about one property; its value has the type of the properties that the client keeps. */
function update(known: Readonly<Record<string, v.GenericSchema>>, fields: v.ObjectEntries) {
  return v.pipe(
    v.looseObject({ ...anyEvent, property: text, ...fields }),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return
      const { property, value } = dataset.value as { property: string; value?: unknown }
      const type = known[property]
      if (type && !v.is(type, value)) addIssue({ message: `value of ${property}: ${JSON.stringify(value)}` })
    }),
  )
}

const message = v.looseObject({
  ...anyEvent,
  message: eventMessage,
  flags,
  local_message_id: v.nullish(text),
})

/** An edit or a move: a move has all of its fields, an edit has no `propagate_mode`. */
const updateMessage = v.pipe(
  v.looseObject({
    ...anyEvent,
    user_id: v.nullish(integer),
    rendering_only: flag,
    message_id: integer,
    message_ids: integers,
    flags,
    edit_timestamp: integer,
    stream_id: v.nullish(integer),
    new_stream_id: v.nullish(integer),
    orig_subject: v.nullish(text),
    subject: v.nullish(text),
    propagate_mode: v.nullish(v.picklist(['change_one', 'change_later', 'change_all'])),
    orig_content: v.nullish(text),
    orig_rendered_content: v.nullish(text),
    content: v.nullish(text),
    rendered_content: v.nullish(text),
    is_me_message: v.nullish(flag),
  }),
  v.check((event) => {
    const isMove =
      (event.new_stream_id ?? event.stream_id) !== event.stream_id ||
      (event.subject ?? event.orig_subject) !== event.orig_subject
    const isComplete = event.stream_id != null && event.orig_subject != null && event.propagate_mode != null
    return isMove ? isComplete : event.propagate_mode == null
  }, 'is half a move'),
)

const deleteMessage = v.variant('message_type', [
  v.looseObject({
    ...anyEvent,
    message_ids: integers,
    message_type: v.literal('stream'),
    ...inChannel,
  }),
  v.looseObject({
    ...anyEvent,
    message_ids: integers,
    message_type: v.picklist(['private', 'direct']),
  }),
])

const flagDetails = byId(
  v.variant('type', [
    v.looseObject({ type: v.literal('stream'), mentioned: v.nullish(flag), ...inChannel }),
    v.looseObject({
      type: v.picklist(['private', 'direct']),
      mentioned: v.nullish(flag),
      user_ids: integers,
    }),
  ]),
)

const flagsRemoved = v.variant('flag', [
  v.looseObject({ ...anyEvent, flag: v.literal('read'), messages: integers, message_details: flagDetails }),
  v.looseObject({
    ...anyEvent,
    flag: v.pipe(text, v.notValue('read')),
    messages: integers,
    message_details: v.nullish(flagDetails),
  }),
])

const sender = v.looseObject({ user_id: integer })
const typing = v.variant('message_type', [
  v.looseObject({ ...anyEvent, sender, message_type: v.literal('stream'), ...inChannel }),
  v.looseObject({
    ...anyEvent,
    sender,
    message_type: v.picklist(['private', 'direct']),
    recipients: v.array(v.looseObject({ user_id: integer })),
  }),
])

const presence = v.looseObject({
  ...anyEvent,
  user_id: integer,
  server_timestamp: v.number(),
  presence: v.record(
    text,
    v.looseObject({
      client: text,
      status: v.picklist(['active', 'idle']),
      timestamp: v.number(),
      pushable: flag,
    }),
  ),
})

const person = v.looseObject({
  user_id: integer,
  full_name: v.nullish(text),
  avatar_url: v.nullish(text),
  avatar_version: v.nullish(integer),
  timezone: v.nullish(text),
  bot_owner_id: v.nullish(integer),
  role: v.nullish(integer),
  delivery_email: v.nullish(text),
  custom_profile_field: v.nullish(
    v.looseObject({ id: integer, value: v.nullish(text), rendered_value: v.nullish(text) }),
  ),
  new_email: v.nullish(text),
  is_active: v.nullish(flag),
})

const members = v.looseObject({ ...anyEvent, group_id: integer, user_ids: integers })
const subgroups = v.looseObject({ ...anyEvent, group_id: integer, direct_subgroup_ids: integers })
const peers = v.looseObject({ ...anyEvent, stream_ids: integers, user_ids: integers })
const listed = v.array(v.looseObject({ stream_id: integer }))
const oneReaction = v.looseObject({ ...anyEvent, ...reaction.entries, message_id: integer })

const device = v.looseObject({ ...anyEvent, device_id: integer })

/** Schemas by type and op. Of an op that is not listed here the client reads nothing more. */
const FORMS: Readonly<Record<string, v.GenericSchema | Readonly<Record<string, v.GenericSchema>>>> = {
  alert_words: v.looseObject({ ...anyEvent, alert_words: v.array(text) }),
  channel_folder: {
    add: v.looseObject({ ...anyEvent, channel_folder: folder }),
    update: v.looseObject({
      ...anyEvent,
      channel_folder_id: integer,
      data: v.looseObject({
        name: v.nullish(text),
        description: v.nullish(text),
        rendered_description: v.nullish(text),
        is_archived: v.nullish(flag),
      }),
    }),
    reorder: v.looseObject({ ...anyEvent, order: integers }),
  },
  custom_profile_fields: v.looseObject({ ...anyEvent, fields: v.array(profileField) }),
  delete_message: deleteMessage,
  device: {
    add: device,
    remove: device,
    update: v.looseObject({ ...device.entries, ...clientDevice.entries }),
  },
  message,
  muted_users: v.looseObject({ ...anyEvent, muted_users: v.array(mutedUser) }),
  presence,
  reaction: { add: oneReaction, remove: oneReaction },
  realm_emoji: {
    add: v.looseObject({ ...anyEvent, emoji }),
    update_one: v.looseObject({
      ...anyEvent,
      emoji_id: text,
      data: v.looseObject({ deactivated: v.nullish(flag) }),
    }),
    update: v.looseObject({ ...anyEvent, realm_emoji: customEmoji }),
  },
  realm_user: {
    add: v.looseObject({ ...anyEvent, person: newUser }),
    remove: v.looseObject({ ...anyEvent, person: v.looseObject({ user_id: integer }) }),
    update: v.looseObject({ ...anyEvent, person }),
  },
  saved_snippets: {
    add: v.looseObject({ ...anyEvent, saved_snippet: savedSnippet }),
    update: v.looseObject({ ...anyEvent, saved_snippet: savedSnippet }),
    remove: v.looseObject({ ...anyEvent, saved_snippet_id: integer }),
  },
  stream: {
    create: v.looseObject({ ...anyEvent, streams: v.array(channel) }),
    delete: v.union([
      v.looseObject({ ...anyEvent, stream_ids: integers }),
      v.looseObject({ ...anyEvent, streams: listed }),
    ]),
    update: update(CHANNEL_PROPERTIES, {
      stream_id: integer,
      name: text,
      rendered_description: v.nullish(text),
      history_public_to_subscribers: v.nullish(flag),
      is_web_public: v.nullish(flag),
    }),
  },
  submessage: v.looseObject({
    ...anyEvent,
    msg_type: text,
    content: text,
    message_id: integer,
    sender_id: integer,
    submessage_id: integer,
  }),
  subscription: {
    add: v.looseObject({ ...anyEvent, subscriptions: v.array(subscription) }),
    remove: v.looseObject({ ...anyEvent, subscriptions: listed }),
    update: update(SUBSCRIPTION_PROPERTIES, { stream_id: integer }),
    peer_add: peers,
    peer_remove: peers,
  },
  typing: { start: typing, stop: typing },
  update_message: updateMessage,
  update_message_flags: {
    add: v.looseObject({ ...anyEvent, flag: text, messages: integers, all: flag }),
    remove: flagsRemoved,
  },
  user_group: {
    add: v.looseObject({ ...anyEvent, group: userGroup }),
    update: v.looseObject({
      ...anyEvent,
      group_id: integer,
      data: v.looseObject({
        name: v.nullish(text),
        description: v.nullish(text),
        deactivated: v.nullish(flag),
      }),
    }),
    add_members: members,
    remove_members: members,
    add_subgroups: subgroups,
    remove_subgroups: subgroups,
    remove: v.looseObject({ ...anyEvent, group_id: integer }),
  },
  user_settings: { update: update(USER_SETTINGS, {}) },
  user_status: v.looseObject({ ...anyEvent, user_id: integer, ...userStatus.entries }),
  user_topic: v.looseObject({
    ...anyEvent,
    stream_id: integer,
    topic_name: text,
    last_updated: integer,
    visibility_policy: v.picklist([0, 1, 2, 3]),
  }),
}

/** An event of any other type; the client reads only its type and id. */
const OTHER = v.looseObject(anyEvent)

/** The types of which the mobile client reads more than their existence. */
export const MOBILE_EVENT_TYPES = Object.keys(FORMS)

/** Returns the schema of the fields of such an event that the mobile client needs. */
export function mobileEventForm({ type, op }: { type: string; op?: string }): v.GenericSchema {
  const form = FORMS[type]
  if (!form) return OTHER
  if ('kind' in form) return form as v.GenericSchema
  return (
    (form as Readonly<Record<string, v.GenericSchema>>)[op ?? ''] ?? v.looseObject({ ...anyEvent, op: text })
  )
}
