import * as v from 'valibot'
import type { LogEvent } from '../core/realm-transaction.ts'
import { defineEventType, hasCapability } from './event-type.ts'

/**
 * A custom emoji for clients; its id is text, as in reactions. Source:
 * docs/interface/register.md#what-the-snapshot-has.
 */
export interface PresentedEmoji {
  readonly id: string
  readonly name: string
  readonly source_url: string
  /** Null unless the emoji is animated. */
  readonly still_url: string | null
  readonly deactivated: boolean
  readonly author_id: number
}

/** An emoji was added or deactivated. Most clients get all emoji, by id. Source: docs/interface/events.md#events-about-the-organization. */
export interface StoredRealmEmojiEvent extends LogEvent {
  readonly type: 'realm_emoji'
  readonly op: 'update'
  readonly realm_emoji: Readonly<Record<string, PresentedEmoji>>
  /** The emoji that has changed. */
  readonly changed: PresentedEmoji
}

const customEmoji = v.strictObject({
  id: v.string(),
  name: v.string(),
  source_url: v.string(),
  still_url: v.nullable(v.string()),
  deactivated: v.boolean(),
  author_id: v.number(),
})

export const customEmojiSchema = v.record(v.string(), customEmoji)

declare module '../core/realm-transaction.ts' {
  interface StoredEvents {
    realm_emoji: StoredRealmEmojiEvent
  }
}

export const realmEmojiEvent = defineEventType<StoredRealmEmojiEvent>({
  type: 'realm_emoji',
  schema: v.union([
    v.strictObject({
      id: v.number(),
      type: v.literal('realm_emoji'),
      op: v.literal('update'),
      realm_emoji: customEmojiSchema,
    }),
    v.strictObject({
      id: v.number(),
      type: v.literal('realm_emoji'),
      op: v.literal('add'),
      emoji: customEmoji,
    }),
    v.strictObject({
      id: v.number(),
      type: v.literal('realm_emoji'),
      op: v.literal('update_one'),
      emoji_id: v.string(),
      data: v.strictObject({ deactivated: v.literal(true) }),
    }),
  ]),
  deliver({ type, op, realm_emoji, changed }, context) {
    if (!hasCapability(context, 'individual_emoji_changes')) return [{ type, op, realm_emoji }]
    if (!changed.deactivated) return [{ type, op: 'add', emoji: changed }]
    return [{ type, op: 'update_one', emoji_id: changed.id, data: { deactivated: true } }]
  },
})
