import * as v from 'valibot'
import { unqualifiedEmojiCode } from '../core/emoji-code.ts'
import type { LogEvent } from '../core/realm-transaction.ts'
import { defineEventType, defineShapedEventType, hasCapability, type StoredOf } from './event-type.ts'
import { reactionTypeFor } from './message-additions.ts'

/** A user came online or went idle. Kept in memory only. Times in UNIX seconds. Source: docs/interface/events.md#events-about-people; docs/interface/users.md#presence. */
export interface StoredPresenceEvent extends LogEvent {
  readonly type: 'presence'
  readonly user_id: number
  readonly email: string
  readonly server_timestamp: number
  readonly status: 'active' | 'idle'
  readonly active_timestamp: number
  readonly idle_timestamp: number
}

const website = v.strictObject({
  client: v.literal('website'),
  status: v.picklist(['active', 'idle']),
  timestamp: v.number(),
  pushable: v.literal(false),
})

export const presenceEvent = defineShapedEventType<StoredPresenceEvent>(
  'presence',
  [
    {
      user_id: v.number(),
      email: v.optional(v.string()),
      server_timestamp: v.number(),
      presence: v.strictObject({ website }),
    },
    {
      presences: v.record(
        v.string(),
        v.strictObject({ active_timestamp: v.number(), idle_timestamp: v.number() }),
      ),
    },
  ],
  {
    deliver(stored, context) {
      const { user_id, active_timestamp, idle_timestamp, status } = stored
      if (hasCapability(context, 'simplified_presence_events')) {
        return [{ type: 'presence', presences: { [user_id]: { active_timestamp, idle_timestamp } } }]
      }
      const timestamp = status === 'active' ? active_timestamp : idle_timestamp
      return [
        {
          type: 'presence',
          user_id,
          ...(context.options.slimPresence ? {} : { email: stored.email }),
          server_timestamp: stored.server_timestamp,
          presence: { website: { client: 'website', status, timestamp, pushable: false } },
        },
      ]
    },
  },
)

export const userStatusEntries = {
  away: v.optional(v.boolean()),
  status_text: v.optional(v.string()),
  emoji_name: v.optional(v.string()),
  emoji_code: v.optional(v.string()),
  reaction_type: v.optional(
    v.picklist(['unicode_emoji', 'realm_emoji', 'svc_extra_emoji', 'zulip_extra_emoji']),
  ),
}

/**
 * A user changed their status; only changed fields are present. Source:
 * docs/interface/events.md#events-about-people; docs/interface/users.md#status.
 */
export const userStatusEvent = defineEventType(
  'user_status',
  [{ user_id: v.number(), ...userStatusEntries }],
  (stored, context) => [
    {
      ...stored,
      ...(stored.reaction_type === undefined
        ? {}
        : {
            // The log may have codes of the build before.
            emoji_code: unqualifiedEmojiCode(stored.emoji_code ?? ''),
            reaction_type: reactionTypeFor(stored.reaction_type, hasCapability(context, 'svc_names')),
          }),
    },
  ],
)
export type StoredUserStatusEvent = StoredOf<typeof userStatusEvent>
