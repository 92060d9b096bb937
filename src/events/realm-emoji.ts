import * as v from 'valibot'
import type { LogEvent } from '../core/realm-transaction.ts'
import { defineEventType } from './event-type.ts'

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

/** The organization's emoji have changed: all of them, by id. Source: docs/interface/events.md#events-about-the-organization. */
export interface StoredRealmEmojiEvent extends LogEvent {
  readonly type: 'realm_emoji'
  readonly op: 'update'
  readonly realm_emoji: Readonly<Record<string, PresentedEmoji>>
}

export const customEmojiSchema = v.record(
  v.string(),
  v.strictObject({
    id: v.string(),
    name: v.string(),
    source_url: v.string(),
    still_url: v.nullable(v.string()),
    deactivated: v.boolean(),
    author_id: v.number(),
  }),
)

declare module '../core/realm-transaction.ts' {
  interface StoredEvents {
    realm_emoji: StoredRealmEmojiEvent
  }
}

export const realmEmojiEvent = defineEventType<StoredRealmEmojiEvent>({
  type: 'realm_emoji',
  schema: v.strictObject({
    id: v.number(),
    type: v.literal('realm_emoji'),
    op: v.literal('update'),
    realm_emoji: customEmojiSchema,
  }),
})
