import * as v from 'valibot'
import { type DeclaresLevel, getsForm } from '../core/forms-by-level.ts'
import type { LogEvent } from '../core/realm-transaction.ts'
import { defineEventType } from './event-type.ts'

/**
 * A bot's key and settings, for its owner and administrators; others get only `realm_user`. `delete` goes to
 * an owner whose bot was given to someone else. Source: docs/interface/events.md#events-about-people.
 */
export interface StoredRealmBotEvent extends LogEvent {
  readonly type: 'realm_bot'
  readonly op: 'add' | 'update' | 'delete'
  readonly bot: { readonly user_id: number } & Readonly<Record<string, unknown>>
}

const services = v.array(v.strictObject({ base_url: v.string(), interface: v.number(), token: v.string() }))
const id = { user_id: v.number() }

/**
 * A bot with what only its owner and administrators may know. Source:
 * docs/interface/register.md#what-the-snapshot-has.
 */
export const botSchema = v.strictObject({
  ...id,
  email: v.string(),
  full_name: v.string(),
  bot_type: v.number(),
  is_active: v.boolean(),
  api_key: v.string(),
  default_sending_stream: v.nullable(v.string()),
  default_events_register_stream: v.nullable(v.string()),
  default_all_public_streams: v.boolean(),
  avatar_url: v.string(),
  owner_id: v.nullable(v.number()),
  services,
})

/** A bot as clients know it that read everything about its account elsewhere. */
export const ownBotSchema = v.pick(botSchema, [
  'user_id',
  'default_sending_stream',
  'default_events_register_stream',
  'default_all_public_streams',
  'services',
])
const OWN_FIELDS = Object.keys(ownBotSchema.entries)

/** Returns a bot, or what has changed of it, as a client of its level knows it. */
export function botFor(client: DeclaresLevel, bot: object): Record<string, unknown> {
  const isWhole = !getsForm(client, 'bots with their own fields alone')
  return Object.fromEntries(Object.entries(bot).filter(([name]) => isWhole || OWN_FIELDS.includes(name)))
}

/** The forms of `bot` in an update: one property each. */
const changes = [
  v.strictObject({ ...id, full_name: v.string() }),
  v.strictObject({ ...id, email: v.string() }),
  v.strictObject({ ...id, is_active: v.boolean() }),
  v.strictObject({ ...id, api_key: v.string() }),
  v.strictObject({ ...id, avatar_url: v.string() }),
  v.strictObject({ ...id, owner_id: v.number() }),
  v.strictObject({ ...id, default_sending_stream: v.nullable(v.string()) }),
  v.strictObject({ ...id, default_events_register_stream: v.nullable(v.string()) }),
  v.strictObject({ ...id, default_all_public_streams: v.boolean() }),
  v.strictObject({ ...id, services }),
]

const envelope = { id: v.number(), type: v.literal('realm_bot') }

declare module '../core/realm-transaction.ts' {
  interface StoredEvents {
    realm_bot: StoredRealmBotEvent
  }
}

export const realmBotEvent = defineEventType<StoredRealmBotEvent>({
  type: 'realm_bot',
  schema: v.union([
    v.strictObject({
      ...envelope,
      op: v.literal('add'),
      bot: v.union([botSchema, ownBotSchema]),
    }),
    v.strictObject({ ...envelope, op: v.literal('update'), bot: v.union(changes) }),
    v.strictObject({ ...envelope, op: v.literal('delete'), bot: v.strictObject(id) }),
  ]),
  deliver(stored, { options }) {
    const bot = botFor(options, stored.bot)
    // An update of the account is in an event about users.
    return stored.op === 'update' && Object.keys(bot).length === 1 ? [] : [{ ...stored, bot }]
  },
})
