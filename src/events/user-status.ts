import * as v from 'valibot'
import type { LogEvent } from '../core/realm-transaction.ts'
import { defineEventType } from './event-type.ts'
import { reactionTypeFor } from './reaction-type.ts'

/**
 * A user changed their status; only changed fields are present. Source:
 * docs/interface/events.md#events-about-people; docs/interface/users.md#status.
 */
export interface StoredUserStatusEvent extends LogEvent {
  readonly type: 'user_status'
  readonly user_id: number
  readonly away?: boolean
  readonly status_text?: string
  readonly emoji_name?: string
  readonly emoji_code?: string
  readonly reaction_type?: string
}

export const userStatusEntries = {
  away: v.optional(v.boolean()),
  status_text: v.optional(v.string()),
  emoji_name: v.optional(v.string()),
  emoji_code: v.optional(v.string()),
  reaction_type: v.optional(
    v.picklist(['unicode_emoji', 'realm_emoji', 'svc_extra_emoji', 'zulip_extra_emoji']),
  ),
}

declare module '../core/realm-transaction.ts' {
  interface StoredEvents {
    user_status: StoredUserStatusEvent
  }
}

export const userStatusEvent = defineEventType<StoredUserStatusEvent>({
  type: 'user_status',
  schema: v.strictObject({
    id: v.number(),
    type: v.literal('user_status'),
    user_id: v.number(),
    ...userStatusEntries,
  }),
  deliver: (stored, { options }) => [
    {
      ...stored,
      ...(stored.reaction_type === undefined
        ? {}
        : { reaction_type: reactionTypeFor(stored.reaction_type, options.userAgent) }),
    },
  ],
})
