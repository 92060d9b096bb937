import * as v from 'valibot'

/**
 * Schemas of what the web client of level 500 reads of answers and events (clients.md). Unlike the phone it was written for its own
 * server: it needs the forms of its level, and knows no older ones. It reports an event that does not match, and drops it.
 */
const integer = v.pipe(v.number(), v.integer())
const integers = v.array(integer)
const text = v.string()
const flag = v.boolean()
const never = v.optional(v.never())
/** A time in seconds; in milliseconds it would be a thousand years away. */
const seconds = v.pipe(integer, v.maxValue(32_503_680_000))
const groupSetting = v.union([
  integer,
  v.looseObject({ direct_members: integers, direct_subgroups: integers }),
])

export const upload = v.looseObject({
  id: integer,
  name: text,
  path_id: text,
  size: integer,
  create_time: seconds,
  message_ids: integers,
  messages: never,
})

export const organizationExport = v.looseObject({
  id: integer,
  export_time: v.number(),
  acting_user_id: integer,
  export_url: v.nullable(text),
  deleted_timestamp: v.nullable(v.number()),
  failed_timestamp: v.nullable(v.number()),
  pending: flag,
  export_type: v.picklist(['public', 'full_with_consent', 'full_without_consent']),
})
const ofConsent = { user_id: integer, consented: flag }
/** The list says also who may see the address; the event does not. */
export const exportConsent = v.looseObject({ ...ofConsent, email_address_visibility: integer })

/** What is a bot's own; the rest is that of its account. */
const ofBot = {
  default_all_public_streams: flag,
  default_events_register_stream: v.nullable(text),
  default_sending_stream: v.nullable(text),
  services: v.array(v.looseObject({})),
}
const noAccount = { api_key: never, email: never, full_name: never, avatar_url: never, owner_id: never }
export const bot = v.looseObject({ user_id: integer, ...ofBot, ...noAccount })
const changesOfBot = v.looseObject({ ...v.partial(v.object(ofBot)).entries, user_id: integer, ...noAccount })

export const linkifier = v.looseObject({
  id: integer,
  pattern: text,
  url_template: text,
  example_input: v.nullable(text),
  reverse_template: v.nullable(text),
  alternative_url_templates: v.array(text),
})

const reaction = v.looseObject({
  emoji_name: text,
  emoji_code: text,
  reaction_type: v.picklist(['unicode_emoji', 'realm_emoji', 'zulip_extra_emoji']),
  user_id: integer,
})

const anyMessage = {
  id: integer,
  sender_id: integer,
  sender_email: text,
  sender_full_name: text,
  sender_realm_str: text,
  avatar_url: v.nullish(text),
  client: text,
  content: text,
  content_type: v.literal('text/html'),
  is_me_message: flag,
  reactions: v.array(reaction),
  recipient_id: integer,
  submessages: v.array(v.looseObject({ msg_type: text, content: text, sender_id: integer })),
  timestamp: integer,
  topic_links: v.array(v.looseObject({ text, url: text })),
}
const inChannel = { type: v.literal('stream'), stream_id: integer, subject: text, display_recipient: text }
const recipient = v.looseObject({ id: integer, email: text, full_name: text })
const direct = { type: v.literal('private'), display_recipient: v.array(recipient) }

export const webMessage = v.variant('type', [
  v.looseObject({ ...anyMessage, ...inChannel, flags: v.array(text) }),
  v.looseObject({ ...anyMessage, ...direct, flags: v.array(text) }),
])
const eventMessage = v.variant('type', [
  v.looseObject({ ...anyMessage, ...inChannel }),
  v.looseObject({ ...anyMessage, ...direct }),
])

const homeView = v.picklist(['recent', 'inbox', 'all_messages'])
/** A setting; the client checks the value of this one, which a level renamed. */
const setting = v.union([
  v.looseObject({ property: v.literal('web_home_view'), value: homeView }),
  v.looseObject({
    property: v.pipe(text, v.notValue('web_home_view')),
    value: v.union([flag, v.number(), text]),
  }),
])

const draft = v.looseObject({
  id: integer,
  type: v.picklist(['', 'stream', 'private']),
  to: integers,
  topic: text,
  content: text,
  timestamp: v.optional(v.number()),
})

const flagsChange = { flag: text, messages: integers, all: flag }
const flagDetails = v.record(
  text,
  v.variant('type', [
    v.looseObject({ type: v.literal('private'), user_ids: integers }),
    v.looseObject({
      type: v.literal('stream'),
      stream_id: integer,
      topic: text,
      unmuted_stream_msg: flag,
    }),
  ]),
)

const emoji = v.looseObject({
  id: text,
  name: text,
  source_url: text,
  still_url: v.nullable(text),
  deactivated: flag,
})
const members = v.looseObject({ group_id: integer, user_ids: integers })
const subgroups = v.looseObject({ group_id: integer, direct_subgroup_ids: integers })
const peers = v.looseObject({ stream_ids: integers, user_ids: integers })
const domain = v.looseObject({ realm_domain: v.looseObject({ domain: text, allow_subdomains: flag }) })
const device = v.looseObject({ device_id: integer })

/** Properties that a later level sends under another name, or in another event. */
const olderProperties = ['description', 'giphy_rating']

type EventRepresentations = Readonly<
  Record<string, v.GenericSchema | Readonly<Record<string, v.GenericSchema>>>
>

/** Schemas by type and op; the client gets no other ops of these types. */
const REPRESENTATIONS: EventRepresentations = {
  alert_words: v.looseObject({ alert_words: v.array(text) }),
  attachment: {
    add: v.looseObject({ attachment: upload, upload_space_used: integer }),
    update: v.looseObject({ attachment: upload, upload_space_used: integer }),
    remove: v.looseObject({ attachment: v.looseObject({ id: integer }), upload_space_used: integer }),
  },
  default_streams: v.looseObject({ default_streams: integers }),
  delete_message: v.variant('message_type', [
    v.looseObject({ message_type: v.literal('private'), message_ids: integers }),
    v.looseObject({
      message_type: v.literal('stream'),
      message_ids: integers,
      stream_id: integer,
      topic: text,
    }),
  ]),
  device: { add: device, update: device, remove: device },
  drafts: {
    add: v.looseObject({ drafts: v.array(draft) }),
    update: v.looseObject({ draft }),
    remove: v.looseObject({ draft_id: integer }),
  },
  message: v.looseObject({ message: eventMessage, flags: v.array(text), local_message_id: v.optional(text) }),
  muted_users: v.looseObject({ muted_users: v.array(v.looseObject({ id: integer, timestamp: integer })) }),
  navigation_view: {
    add: v.looseObject({
      navigation_view: v.looseObject({ fragment: text, is_pinned: flag, name: v.nullable(text) }),
    }),
    update: v.looseObject({
      fragment: text,
      data: v.looseObject({ is_pinned: v.optional(flag), name: v.optional(text) }),
    }),
    remove: v.looseObject({ fragment: text }),
  },
  presence: v.looseObject({
    user_id: integer,
    server_timestamp: v.number(),
    presence: v.record(text, v.looseObject({ client: text, status: text, timestamp: v.number() })),
  }),
  reaction: v.looseObject({ ...reaction.entries, message_id: integer, user: never }),
  realm: {
    update: v.looseObject({
      property: v.pipe(text, v.notValues(olderProperties)),
      value: v.union([flag, v.number(), text, v.null()]),
      rendered_description: never,
    }),
    update_dict: v.variant('property', [
      v.looseObject({
        property: v.literal('default'),
        data: v.union([
          v.looseObject({ description: text, rendered_description: text }),
          v.looseObject({ description: never }),
        ]),
      }),
      v.looseObject({
        property: v.literal('icon'),
        data: v.looseObject({ icon_url: text, icon_source: text }),
      }),
      v.looseObject({
        property: v.literal('logo'),
        data: v.looseObject({ logo_url: text, logo_source: text }),
      }),
      v.looseObject({
        property: v.literal('night_logo'),
        data: v.looseObject({ night_logo_url: text, night_logo_source: text }),
      }),
    ]),
    deactivated: v.looseObject({ realm_id: integer }),
  },
  realm_bot: {
    add: v.looseObject({ bot }),
    update: v.looseObject({ bot: changesOfBot }),
    delete: v.looseObject({ bot: v.looseObject({ user_id: integer }) }),
  },
  realm_domains: { add: domain, change: domain, remove: v.looseObject({ domain: text }) },
  realm_emoji: { update: v.looseObject({ realm_emoji: v.record(text, emoji) }) },
  realm_export: v.looseObject({ exports: v.array(organizationExport) }),
  realm_export_consent: v.looseObject(ofConsent),
  realm_linkifiers: v.looseObject({ realm_linkifiers: v.array(linkifier) }),
  realm_user_settings_defaults: { update: setting },
  saved_snippets: {
    add: v.looseObject({ saved_snippet: v.looseObject({ id: integer, title: text, content: text }) }),
    update: v.looseObject({ saved_snippet: v.looseObject({ id: integer, title: text, content: text }) }),
    remove: v.looseObject({ saved_snippet_id: integer }),
  },
  stream: {
    create: v.looseObject({
      streams: v.array(
        v.looseObject({ stream_id: integer, name: text, can_create_topic_group: groupSetting }),
      ),
    }),
    delete: v.looseObject({ stream_ids: integers, streams: v.array(v.looseObject({ stream_id: integer })) }),
    update: v.looseObject({
      property: text,
      value: v.union([flag, v.number(), text, groupSetting, v.null()]),
      name: text,
      stream_id: integer,
    }),
  },
  submessage: v.looseObject({
    message_id: integer,
    submessage_id: integer,
    sender_id: integer,
    msg_type: text,
    content: text,
  }),
  subscription: {
    add: v.looseObject({
      subscriptions: v.array(
        v.looseObject({ stream_id: integer, subscribers: integers, can_create_topic_group: groupSetting }),
      ),
    }),
    remove: v.looseObject({ subscriptions: v.array(v.looseObject({ stream_id: integer, name: text })) }),
    update: v.looseObject({
      stream_id: integer,
      property: text,
      value: v.union([flag, v.number(), text, v.null()]),
    }),
    peer_add: peers,
    peer_remove: peers,
  },
  update_message: v.looseObject({
    user_id: v.nullable(integer),
    rendering_only: flag,
    message_id: integer,
    message_ids: integers,
    flags: v.array(text),
    edit_timestamp: integer,
  }),
  update_message_flags: {
    add: v.looseObject({ ...flagsChange, operation: v.literal('add') }),
    remove: v.looseObject({
      ...flagsChange,
      operation: v.literal('remove'),
      message_details: v.optional(flagDetails),
    }),
  },
  user_group: {
    add: v.looseObject({ group: v.looseObject({ id: integer, name: text, members: integers }) }),
    update: v.looseObject({ group_id: integer, data: v.looseObject({}) }),
    add_members: members,
    remove_members: members,
    add_subgroups: subgroups,
    remove_subgroups: subgroups,
  },
  user_settings: { update: setting },
  user_topic: v.looseObject({ stream_id: integer, topic_name: text, visibility_policy: integer }),
}

/** Types that a client of this level gets no more: these settings are in `user_settings`. */
const GONE = ['update_display_settings', 'update_global_notifications']

/** The types whose content is checked. */
export const WEB_EVENT_TYPES = Object.keys(REPRESENTATIONS)

export function webEventForm({ type, op }: { type: string; op?: string }): v.GenericSchema {
  if (GONE.includes(type)) return v.never()
  const form = REPRESENTATIONS[type]
  if (!form) return v.looseObject({ id: integer })
  if ('kind' in form) return form as v.GenericSchema
  return (form as Readonly<Record<string, v.GenericSchema>>)[op ?? ''] ?? v.never()
}
