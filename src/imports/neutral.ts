import * as v from 'valibot'
import { CHANNEL_PROPERTIES, forEachProperty } from '../core/channel-properties.ts'

/**
 * The neutral form of an import (docs/import.md): one record for each thing of the source, with the source's own ids. Readers of archives
 * make these records, and the writer, which knows no source, takes them.
 */

/** UTF-16 units of an id. */
export const MAX_SOURCE_ID = 200
/** Ids in one list of a record: members of a channel, people who starred a message. */
const MAX_IDS = 100_000
const MAX_SHORT = 1_000
/** UTF-16 units of a text. The organization's own limits are far lower; the writer applies them. */
const MAX_TEXT = 1_000_000
/** 1 January 2100, in milliseconds. */
const MAX_TIME = 4_102_444_800_000

/** Whether a record can have this time, in milliseconds. */
export function isTime(time: number | undefined): time is number {
  return time !== undefined && time > 0 && time < MAX_TIME
}

const id = v.pipe(v.string(), v.minLength(1), v.maxLength(MAX_SOURCE_ID))
const ids = v.pipe(v.array(id), v.maxLength(MAX_IDS))
const short = v.pipe(v.string(), v.maxLength(MAX_SHORT))
const text = v.pipe(v.string(), v.maxLength(MAX_TEXT))
/** Milliseconds of UNIX time; a fraction keeps the order of messages of the same millisecond. */
const time = v.pipe(v.number(), v.finite(), v.minValue(0), v.maxValue(MAX_TIME))
const flag = v.boolean()
const count = v.pipe(v.number(), v.integer(), v.minValue(0))

function list<Item extends v.GenericSchema>(item: Item) {
  return v.pipe(v.array(item), v.maxLength(MAX_IDS))
}

const ROLES = ['owner', 'administrator', 'moderator', 'member', 'guest'] as const
const SEEING_ADDRESSES = ['everyone', 'members', 'moderators', 'administrators', 'nobody'] as const

const BOT_KINDS = ['generic', 'incoming_webhook', 'outgoing_webhook'] as const

/** Where the messages to a bot are posted. */
const webhook = v.object({
  url: v.pipe(v.string(), v.maxLength(2_000)),
  format: v.picklist(['json', 'form']),
  /** Sent along, so that the receiver recognises the calls. */
  token: v.optional(short),
})

const emoji = v.object({
  /** A name of the emoji table, or of an `emoji` record. */
  emoji: short,
  /** Code points in hexadecimal, joined by `-`, of a Unicode emoji that may have another name here. */
  code: v.optional(short),
  kind: v.optional(v.picklist(['unicode', 'custom'])),
})

const reaction = v.object({ user: id, ...emoji.entries })

/** A version of a message before an edit, with only what the edit changed. */
const edit = v.object({
  time_ms: time,
  user: v.optional(id),
  content: v.optional(text),
  topic: v.optional(short),
  channel: v.optional(id),
})

/** Who may do something: groups by id, system groups by name (`role:members`), and people. */
export const permission = v.object({ groups: v.optional(ids), users: v.optional(ids) })
/** Permissions by their names in the API. */
const permissions = v.record(short, permission)

export type Permission = v.InferOutput<typeof permission>
export type Reaction = v.InferOutput<typeof reaction>
export type Edit = v.InferOutput<typeof edit>
export type ChannelMember = v.InferOutput<typeof channelMember>

const channelMember = v.object({
  user: id,
  color: v.optional(short),
  muted: v.optional(flag),
  pinned: v.optional(flag),
  /** The person's choices for the channel; the others are as in the person's settings. */
  notifications: v.optional(
    v.object({
      desktop: v.optional(flag),
      audible: v.optional(flag),
      push: v.optional(flag),
      email: v.optional(flag),
      wildcard_mentions: v.optional(flag),
    }),
  ),
})

/** Settings of users that an import leaves out: what the account's record has, and a consent given to another organization. */
export const SETTINGS_LEFT_BEHIND: ReadonlySet<string> = new Set([
  'timezone',
  'email_address_visibility',
  'allow_private_data_export',
])

/** The destination of a message: a topic of a channel, or people. A draft may have none yet. */
const place = { channel: v.optional(id), topic: v.optional(short), to: v.optional(ids) }

/** Plain settings of a channel, by the names of the API. A word that does not exist here is passed over. */
const channelProperties = forEachProperty((name) =>
  v.optional(CHANNEL_PROPERTIES[name].schema.type === 'boolean' ? flag : short),
)

/** The fields of each type of record except `type`. */
const RECORDS = {
  /** The first record. `source` names the place that the archive is from, so that a second import recognizes what the first has made. */
  'parley-import': v.object({
    version: v.literal(1),
    source: id,
    made_at_ms: v.optional(time),
    /** The program that made the archive, and how much of the place it has: for people who read it. */
    made_by: v.optional(short),
    contents: v.optional(short),
    /** The topic of messages that have none. */
    topic: v.optional(short),
  }),
  organization: v.object({
    name: v.optional(short),
    description: v.optional(text),
    icon: v.optional(id),
    logo: v.optional(id),
    night_logo: v.optional(id),
  }),
  profile_field: v.object({
    id,
    name: short,
    kind: v.optional(
      v.picklist(['short', 'long', 'link', 'date', 'user', 'pronouns', 'choice', 'external_account']),
    ),
    hint: v.optional(short),
    /** JSON with the choices, or the site of the accounts. */
    data: v.optional(text),
    required: v.optional(flag),
    in_summary: v.optional(flag),
    editable_by_user: v.optional(flag),
    matched: v.optional(flag),
  }),
  user: v.object({
    id,
    full_name: short,
    email: v.optional(v.nullable(short)),
    /** Who sees the address, if the person has chosen that. */
    email_visibility: v.optional(v.picklist(SEEING_ADDRESSES)),
    role: v.optional(v.picklist(ROLES)),
    is_bot: v.optional(flag),
    /** Whether it is the system bot of this name, which every organization has. */
    is_system_bot: v.optional(flag),
    bot_owner: v.optional(id),
    bot_kind: v.optional(v.picklist(BOT_KINDS)),
    /** For an outgoing webhook. */
    webhook: v.optional(webhook),
    deactivated: v.optional(flag),
    timezone: v.optional(short),
    /** Id of a `file`. */
    avatar: v.optional(id),
    joined_ms: v.optional(time),
    profile: v.optional(list(v.object({ field: id, value: text }))),
    status: v.optional(short),
    status_emoji: v.optional(emoji),
  }),
  group: v.object({
    id,
    name: short,
    description: v.optional(text),
    members: v.optional(ids),
    subgroups: v.optional(ids),
    deactivated: v.optional(flag),
    permissions: v.optional(permissions),
  }),
  channel_folder: v.object({ id, name: short, description: v.optional(text) }),
  channel: v.object({
    id,
    name: short,
    description: v.optional(text),
    privacy: v.optional(v.picklist(['public', 'private', 'web_public'])),
    /** Whether new subscribers see earlier messages. */
    history_public: v.optional(flag),
    archived: v.optional(flag),
    /** Id of a `channel_folder`. */
    folder: v.optional(id),
    created_ms: v.optional(time),
    creator: v.optional(id),
    members: v.optional(list(channelMember)),
    /** Whether the owner who imports is subscribed too: where the source does not say who reads it. */
    importer_joins: v.optional(flag),
    /** Whether new people are subscribed to it. */
    default: v.optional(flag),
    /** Whether it is for announcements. */
    announce: v.optional(flag),
    ...channelProperties,
    /** Days after which messages are deleted; -1 for never. */
    retention_days: v.optional(v.pipe(v.number(), v.integer(), v.minValue(-1))),
    permissions: v.optional(permissions),
  }),
  emoji: v.object({ id, name: short, image: id, author: v.optional(id), deactivated: v.optional(flag) }),
  /** A file whose bytes are at a path in the archive, at an address, or in the record itself, in base64. */
  file: v.object({
    id,
    name: short,
    path: v.optional(short),
    url: v.optional(v.pipe(v.string(), v.maxLength(4_000))),
    data: v.optional(v.pipe(v.string(), v.maxLength(8_000_000))),
    size: v.optional(count),
    content_type: v.optional(short),
    owner: v.optional(id),
    created_ms: v.optional(time),
  }),
  message: v.object({
    id,
    sender: id,
    time_ms: time,
    /** Markdown, with references (references.ts). */
    content: text,
    /** Id of a channel; without it `to` lists the people of a direct conversation. */
    channel: v.optional(id),
    topic: v.optional(short),
    to: v.optional(ids),
    edited_ms: v.optional(time),
    edits: v.optional(list(edit)),
    reactions: v.optional(list(reaction)),
    starred_by: v.optional(ids),
    unread_by: v.optional(ids),
    files: v.optional(ids),
    /** The entries of a poll or a to-do list: JSON in which people are references. */
    widget: v.optional(list(v.object({ user: id, content: text }))),
    /** Id of the first message of the thread that became the topic. */
    topic_of_thread: v.optional(id),
  }),
  /** Messages that a person has not read: ids, or the first and the last of several. */
  read_state: v.object({ user: id, unread: list(v.union([id, v.tuple([id, id])])) }),
  starred_messages: v.object({ user: id, messages: ids }),
  user_topic: v.object({
    user: id,
    channel: id,
    topic: short,
    policy: v.picklist(['muted', 'unmuted', 'followed']),
  }),
  /** A message or a topic at the head of its channel. */
  pin: v.object({
    channel: id,
    message: v.optional(id),
    topic: v.optional(short),
    user: v.optional(id),
    time_ms: v.optional(time),
  }),
  muted_user: v.object({ user: id, muted: id }),
  alert_word: v.object({ user: id, word: short }),
  saved_snippet: v.object({ id, user: id, title: short, content: text }),
  draft: v.object({ id, user: id, content: text, ...place, edited_ms: v.optional(time) }),
  scheduled_message: v.object({
    id,
    user: id,
    content: text,
    ...place,
    due_ms: time,
    /** Whether sending it has failed, so that it waits for its author. */
    failed: v.optional(flag),
  }),
  reminder: v.object({ id, user: id, message: id, due_ms: time, note: v.optional(text) }),
  /** A view of the sidebar. `fragment`: the part of its address after `#`, with references in place of ids. */
  navigation_view: v.object({
    user: id,
    fragment: short,
    pinned: v.optional(flag),
    name: v.optional(v.nullable(short)),
  }),
  user_settings: v.object({ user: id, settings: v.record(short, v.unknown()) }),
  linkifier: v.object({
    pattern: short,
    url_template: short,
    example_input: v.optional(short),
    reverse_template: v.optional(short),
    alternative_url_templates: v.optional(list(short)),
  }),
  playground: v.object({ name: short, language: short, url_template: short }),
  /** A domain from whose addresses people may join. */
  domain: v.object({ domain: short, subdomains: v.optional(flag) }),
  /** Channels that new people can choose to join together. */
  default_channel_group: v.object({ name: short, description: v.optional(text), channels: ids }),
  default_setting: v.object({ name: short, value: v.unknown() }),
  /** The value of a permission is a `permission`; a setting that names a channel has `{channel: id}`, or null for none. */
  realm_setting: v.object({ name: short, value: v.unknown() }),
  /** What a reader could not read, and where. It is counted and listed, and the rest goes on. */
  problem: v.object({
    kind: short,
    detail: v.optional(text),
    file: v.optional(short),
    line: v.optional(count),
    entry: v.optional(count),
  }),
}

export type NeutralType = keyof typeof RECORDS

/** A record of one type. */
export type RecordOf<Type extends NeutralType> = { readonly type: Type } & v.InferOutput<
  (typeof RECORDS)[Type]
>

export type NeutralRecord = { [Type in NeutralType]: RecordOf<Type> }[NeutralType]

const schemas: ReadonlyMap<string, v.ObjectSchema<v.ObjectEntries, undefined>> = new Map(
  Object.entries(RECORDS),
)

/** Fields that decide who gets in and who reads what. A record is refused rather than taken without one of them. */
const DECIDING_FIELDS: ReadonlySet<string> = new Set([
  'user.role',
  'user.deactivated',
  'user.is_bot',
  'user.email_visibility',
  'channel.privacy',
  'channel.history_public',
  'channel.permissions',
  'group.permissions',
  'message.channel',
  'message.to',
])

/** The result of taking a value: a record with the names of the fields passed over, or the reason why there is none. */
export type Taken =
  | { readonly record: NeutralRecord; readonly passedOver: readonly string[] }
  | { readonly problem: string; readonly detail: string }

/**
 * Takes a value as a record. Unknown fields are passed over, and so are malformed optional fields and items of their lists: they are named as
 * `type.field` or `type.field[]`. A record of an unknown type, without a required field, or with a malformed field that decides who reads it is a
 * problem.
 */
export function takeRecord(value: unknown): Taken {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { problem: 'no record', detail: 'not an object' }
  }
  const { type, ...fields } = value as { type?: unknown; [field: string]: unknown }
  const schema = typeof type === 'string' ? schemas.get(type) : undefined
  if (typeof type !== 'string' || !schema)
    return { problem: 'unknown type', detail: JSON.stringify(type)?.slice(0, MAX_SOURCE_ID) ?? 'none' }
  const passedOver = new Set<string>()
  for (const field of Object.keys(fields)) {
    if (!Object.hasOwn(schema.entries, field)) passedOver.add(`${type}.${field.slice(0, MAX_SOURCE_ID)}`)
  }
  const first = v.safeParse(schema, fields, AT_THE_FIRST)
  const fitting = first.success
    ? first
    : v.safeParse(schema, withoutMisfits(type, schema, fields, passedOver), AT_THE_FIRST)
  if (!fitting.success) return refusalOf(type, fitting.issues[0])
  return { record: { type, ...fitting.output } as NeutralRecord, passedOver: [...passedOver] }
}

/** A list may have millions of malformed items: one issue is enough. */
const AT_THE_FIRST = { abortEarly: true } as const

/** Returns the fields without malformed optional ones, and names those. */
function withoutMisfits(
  type: string,
  schema: v.ObjectSchema<v.ObjectEntries, undefined>,
  fields: Readonly<Record<string, unknown>>,
  passedOver: Set<string>,
): Record<string, unknown> {
  const fitting = { ...fields }
  for (const [field, entry] of Object.entries(schema.entries)) {
    const value = fields[field]
    if (!isOptional(entry) || DECIDING_FIELDS.has(`${type}.${field}`) || v.is(entry, value)) continue
    const { wrapped } = entry
    const items = isList(wrapped) && Array.isArray(value) ? itemsThatFit(wrapped, value) : undefined
    if (items && v.is(wrapped, items)) fitting[field] = items
    else delete fitting[field]
    passedOver.add(`${type}.${field}${items ? '[]' : ''}`)
  }
  return fitting
}

type OptionalSchema = v.OptionalSchema<v.GenericSchema, undefined>

function isOptional(schema: v.GenericSchema | v.GenericSchemaAsync): schema is OptionalSchema {
  return schema.type === 'optional'
}

function isList(schema: v.GenericSchema): schema is v.ArraySchema<v.GenericSchema, undefined> {
  return schema.type === 'array'
}

function itemsThatFit({ item }: v.ArraySchema<v.GenericSchema, undefined>, items: unknown[]): unknown[] {
  return items.filter((one) => v.is(item, one))
}

function refusalOf(type: string, { path, message }: v.BaseIssue<unknown>): Taken {
  return { problem: `bad ${type}`, detail: `${String(path?.[0]?.key)}: ${message}`.slice(0, MAX_SHORT) }
}
