import * as v from 'valibot'
import type { LogEvent } from '../core/realm-transaction.ts'
import { defineEventType } from './event-type.ts'

/**
 * A bot's key and settings, for its owner and administrators; others get only `realm_user`. `delete` goes to
 * an owner whose bot was given to somebody else. Source: docs/interface/events.md#events-about-people.
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
  // What others see of a bot is in an event about users beside it.
  usersChanged: () => [],
  schema: v.union([
    v.strictObject({
      ...envelope,
      op: v.literal('add'),
      bot: botSchema,
    }),
    v.strictObject({ ...envelope, op: v.literal('update'), bot: v.union(changes) }),
    v.strictObject({ ...envelope, op: v.literal('delete'), bot: v.strictObject(id) }),
  ]),
})
