import * as v from 'valibot'
import { unqualifiedEmojiCode } from '../core/emoji-code.ts'
import type { LogEvent } from '../core/realm-transaction.ts'
import { getsRepresentation } from '../core/representations-by-level.ts'
import { defineEventType, defineShapedEventType, hasCapability, type StoredOf } from './event-type.ts'

/** A reaction was added or removed. Source: docs/interface/events.md#events-about-messages. */
export interface StoredReactionEvent extends LogEvent {
  readonly type: 'reaction'
  readonly op: 'add' | 'remove'
  readonly message_id: number
  readonly emoji_name: string
  readonly emoji_code: string
  readonly reaction_type: EmojiType
  readonly user_id: number
  readonly user: { readonly user_id: number; readonly email: string; readonly full_name: string }
  /** Receivers who may not see the user, and what they get instead. */
  readonly unknown?: { readonly to: readonly number[]; readonly email: string; readonly full_name: string }
}

export const reactionEvent = defineShapedEventType<StoredReactionEvent, { isUnknown: boolean }>(
  'reaction',
  [
    {
      op: v.picklist(['add', 'remove']),
      message_id: v.number(),
      emoji_name: v.string(),
      emoji_code: v.string(),
      reaction_type: v.picklist(['unicode_emoji', 'realm_emoji', 'svc_extra_emoji', 'zulip_extra_emoji']),
      user_id: v.number(),
      user: v.optional(v.strictObject({ user_id: v.number(), email: v.string(), full_name: v.string() })),
    },
  ],
  {
    personal: ({ unknown }, { userId }) => ({ isUnknown: unknown?.to.includes(userId) ?? false }),
    deliver: ({ unknown, user, ...stored }, context) => [
      {
        ...stored,
        ...(getsRepresentation(context.options, 'reaction events without user')
          ? {}
          : {
              user:
                unknown && context.personal.isUnknown
                  ? { user_id: user.user_id, email: unknown.email, full_name: unknown.full_name }
                  : user,
            }),
        // The log may have codes of the build before.
        emoji_code: unqualifiedEmojiCode(stored.emoji_code),
        reaction_type: reactionTypeFor(stored.reaction_type, hasCapability(context, 'svc_names')),
      },
    ],
  },
)

/**
 * The stored spelling of the extra emoji's type, the interface's neutral one. Both are accepted. Clients get the public one unless they ask
 * for this, since many of them cannot read a page of messages in which one reaction has an unknown type. Source:
 * docs/interface/conventions.md#two-spellings.
 */
export const EXTRA_EMOJI = 'svc_extra_emoji'
const PUBLIC_EXTRA_EMOJI = 'zulip_extra_emoji'

/** The type of an emoji, in its stored form. */
export type EmojiType = 'unicode_emoji' | 'realm_emoji' | typeof EXTRA_EMOJI

/** Returns the type of an emoji in the client's spelling. `asksForSvc`: whether it asks for the neutral one. */
export function reactionTypeFor(reactionType: string, asksForSvc: boolean): string {
  return reactionType === EXTRA_EMOJI && !asksForSvc ? PUBLIC_EXTRA_EMOJI : reactionType
}

export function normalReactionType(reactionType: string): string {
  return reactionType === PUBLIC_EXTRA_EMOJI ? EXTRA_EMOJI : reactionType
}

/**
 * A submessage was added to a message's widget. Source: docs/interface/events.md#events-about-messages; docs/interface/messages.md#widgets.
 */
export const submessageEvent = defineEventType('submessage', [
  {
    msg_type: v.string(),
    message_id: v.number(),
    submessage_id: v.number(),
    sender_id: v.number(),
    content: v.string(),
  },
])
export type StoredSubmessageEvent = StoredOf<typeof submessageEvent>
