import * as v from 'valibot'
import { getsForm } from '../core/forms-by-level.ts'
import type { LogEvent } from '../core/realm-transaction.ts'
import { defineEventType } from './event-type.ts'
import { reactionTypeFor } from './reaction-type.ts'

/** A reaction was added or removed. Source: docs/interface/events.md#events-about-messages. */
export interface StoredReactionEvent extends LogEvent {
  readonly type: 'reaction'
  readonly op: 'add' | 'remove'
  readonly message_id: number
  readonly emoji_name: string
  readonly emoji_code: string
  readonly reaction_type: string
  readonly user_id: number
  readonly user: { readonly user_id: number; readonly email: string; readonly full_name: string }
  /** Receivers who may not see the user, and what they get instead. */
  readonly unknown?: { readonly to: readonly number[]; readonly email: string; readonly full_name: string }
}

declare module '../core/realm-transaction.ts' {
  interface StoredEvents {
    reaction: StoredReactionEvent
  }
}

export const reactionEvent = defineEventType<StoredReactionEvent, { isUnknown: boolean }>({
  type: 'reaction',
  schema: v.strictObject({
    id: v.number(),
    type: v.literal('reaction'),
    op: v.picklist(['add', 'remove']),
    message_id: v.number(),
    emoji_name: v.string(),
    emoji_code: v.string(),
    reaction_type: v.picklist(['unicode_emoji', 'realm_emoji', 'svc_extra_emoji', 'zulip_extra_emoji']),
    user_id: v.number(),
    user: v.optional(v.strictObject({ user_id: v.number(), email: v.string(), full_name: v.string() })),
  }),
  personal: ({ unknown }, { userId }) => ({ isUnknown: unknown?.to.includes(userId) ?? false }),
  deliver: ({ unknown, user, ...stored }, { options, personal }) => [
    {
      ...stored,
      ...(getsForm(options, 'reaction events without user')
        ? {}
        : {
            user:
              unknown && personal.isUnknown
                ? { user_id: user.user_id, email: unknown.email, full_name: unknown.full_name }
                : user,
          }),
      reaction_type: reactionTypeFor(stored.reaction_type, options.userAgent),
    },
  ],
})
