import * as v from 'valibot'
import type { LogEvent } from '../core/realm-transaction.ts'
import { type DeclaresLevel, getsRepresentation } from '../core/representations-by-level.ts'
import { secretText } from '../core/secret-text.ts'
import { forEachShownSetting, NOTHING_SHOWN, SHOWN_SETTINGS } from '../core/shown-settings.ts'
import { defineShapedEventType, hasCapability } from './event-type.ts'

/** A user was added or changed, or a guest can no longer see one. Source: docs/interface/events.md#events-about-people. */
export interface StoredRealmUserEvent extends LogEvent {
  readonly type: 'realm_user'
  readonly op: 'add' | 'update' | 'remove'
  readonly person: { readonly user_id: number } & Readonly<Record<string, unknown>>
  /** For `add`: whether the client may compute the picture's address itself. */
  readonly avatar_computable?: boolean
  /** For `add`, to a reader who cannot see the user: not sent to clients that accept incomplete lists. */
  readonly inaccessible?: boolean
}

const nullableText = v.nullable(v.string())

/** The user object of docs/interface/users.md#the-user-object, as events and register send it. */
export const userEntries = {
  user_id: v.number(),
  email: v.string(),
  delivery_email: nullableText,
  full_name: v.string(),
  date_joined: v.string(),
  is_active: v.boolean(),
  is_deleted: v.optional(v.literal(true)),
  is_owner: v.boolean(),
  is_admin: v.boolean(),
  is_guest: v.boolean(),
  is_bot: v.boolean(),
  is_imported_stub: v.boolean(),
  bot_type: v.nullable(v.number()),
  bot_owner_id: v.nullable(v.number()),
  role: v.number(),
  ...forEachShownSetting(() => v.string()),
  avatar_url: nullableText,
  avatar_version: v.number(),
  profile_data: v.optional(
    v.record(v.string(), v.strictObject({ value: v.string(), rendered_value: v.optional(v.string()) })),
  ),
}

export const userSchema = v.strictObject({
  ...userEntries,
  is_active: v.optional(v.boolean()),
  is_system_bot: v.optional(v.literal(true)),
})

const id = { user_id: v.number() }

/** The forms of `person` in an update (docs/interface/events.md#events-about-people). */
const changeSchemas = [
  v.strictObject({ ...id, full_name: v.string() }),
  v.strictObject({
    ...id,
    avatar_source: v.picklist(['G', 'U']),
    avatar_url: nullableText,
    avatar_url_medium: nullableText,
    avatar_version: v.number(),
  }),
  ...SHOWN_SETTINGS.map((name) => v.strictObject({ ...id, email: v.string(), [name]: v.string() })),
  v.strictObject({ ...id, bot_owner_id: v.number() }),
  v.strictObject({ ...id, role: v.number() }),
  v.strictObject({ ...id, delivery_email: nullableText }),
  v.strictObject({
    ...id,
    custom_profile_field: v.strictObject({
      id: v.number(),
      value: nullableText,
      rendered_value: v.optional(v.string()),
    }),
  }),
  v.strictObject({ ...id, new_email: v.string() }),
  v.strictObject({ ...id, date_joined: v.string() }),
  v.strictObject({ ...id, is_imported_stub: v.boolean() }),
  v.strictObject({ ...id, is_active: v.boolean(), is_deleted: v.optional(v.literal(true)) }),
]

/** Returns the change of a user as a client of its level knows it. */
function changeFor(client: DeclaresLevel, { is_deleted, ...change }: StoredRealmUserEvent['person']): object {
  const isKnown = is_deleted !== undefined && getsRepresentation(client, 'is_deleted in changes of users')
  return isKnown ? { ...change, is_deleted } : change
}

export const realmUserEvent = defineShapedEventType<StoredRealmUserEvent>(
  'realm_user',
  [
    { op: v.literal('add'), person: userSchema },
    { op: v.literal('update'), person: v.union(changeSchemas) },
    { op: v.literal('remove'), person: v.strictObject({ ...id, full_name: v.string() }) },
  ],
  {
    deliver({ avatar_computable, inaccessible, ...stored }, context) {
      if (inaccessible && hasCapability(context, 'user_list_incomplete')) return []
      const hidePicture = avatar_computable && context.options.clientGravatar
      const person = hidePicture ? { ...stored.person, avatar_url: null } : stored.person
      if (stored.op === 'update') return [{ ...stored, person: changeFor(context.options, person) }]
      // An event of an earlier build may lack a setting.
      return [{ ...stored, person: stored.op === 'add' ? { ...NOTHING_SHOWN, ...person } : person }]
    },
  },
)

/**
 * A bot's key and settings, for its owner and administrators; others get only `realm_user`. `delete` goes to
 * an owner whose bot was given to someone else. Source: docs/interface/events.md#events-about-people.
 */
export interface StoredRealmBotEvent extends LogEvent {
  readonly type: 'realm_bot'
  readonly op: 'add' | 'update' | 'delete'
  readonly bot: { readonly user_id: number } & Readonly<Record<string, unknown>>
}

const services = v.array(v.strictObject({ base_url: v.string(), interface: v.number(), token: secretText() }))

/** A bot with the fields that only its owner and administrators see. Source: docs/interface/register.md#what-the-snapshot-has. */
export const botSchema = v.strictObject({
  ...id,
  email: v.string(),
  full_name: v.string(),
  bot_type: v.number(),
  is_active: v.boolean(),
  api_key: secretText(),
  default_sending_stream: v.nullable(v.string()),
  default_events_register_stream: v.nullable(v.string()),
  default_all_public_streams: v.boolean(),
  avatar_url: v.string(),
  owner_id: v.nullable(v.number()),
  services,
})

/** A bot for clients that read everything about its account elsewhere. */
export const ownBotSchema = v.pick(botSchema, [
  'user_id',
  'default_sending_stream',
  'default_events_register_stream',
  'default_all_public_streams',
  'services',
])
const OWN_FIELDS = Object.keys(ownBotSchema.entries)

/** Returns a bot, or its changed fields, in the form for a client of this level. `inBrowser`: without its key and token. */
export function botFor(client: DeclaresLevel, bot: object, inBrowser: boolean): Record<string, unknown> {
  const isWhole = !getsRepresentation(client, 'bots with their own fields alone')
  const shown = Object.fromEntries(
    Object.entries(bot).filter(([name]) => isWhole || OWN_FIELDS.includes(name)),
  )
  return inBrowser ? withoutSecrets(shown) : shown
}

/** Returns a bot, or its changed fields, with '' in place of its key and tokens: browsers get a key only with a proof. */
export function withoutSecrets(bot: object): Record<string, unknown> {
  const { services } = bot as { readonly services?: readonly object[] }
  return {
    ...bot,
    ...('api_key' in bot && { api_key: '' }),
    ...(services && { services: services.map((service) => ({ ...service, token: '' })) }),
  }
}

/** The forms of `bot` in an update: one property each. */
const changes = Object.entries({
  full_name: v.string(),
  email: v.string(),
  is_active: v.boolean(),
  api_key: secretText(),
  avatar_url: v.string(),
  owner_id: v.number(),
  default_sending_stream: v.nullable(v.string()),
  default_events_register_stream: v.nullable(v.string()),
  default_all_public_streams: v.boolean(),
  services,
}).map(([name, value]) => v.strictObject({ ...id, [name]: value }))

export const realmBotEvent = defineShapedEventType<StoredRealmBotEvent>(
  'realm_bot',
  [
    { op: v.literal('add'), bot: v.union([botSchema, ownBotSchema]) },
    { op: v.literal('update'), bot: v.union(changes) },
    { op: v.literal('delete'), bot: v.strictObject(id) },
  ],
  {
    deliver(stored, { options }) {
      const inBrowser = options.isBrowser === true
      const bot = botFor(options, stored.bot, inBrowser)
      if (stored.op !== 'update') return [{ ...stored, bot }]
      // An update of the account is in an event about users.
      const isEmpty = Object.keys(bot).length === 1 || (inBrowser && 'api_key' in bot)
      return isEmpty ? [] : [{ ...stored, bot }]
    },
  },
)
