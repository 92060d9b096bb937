import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import { pathInteger, textUpTo, word } from '../../api/parameter-types.ts'
import { BadRequestError, ReactionDoesNotExistError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { normalReactionType } from '../../events/reaction-type.ts'
import type { Caller } from '../../model/caller.ts'
import { requireModifiableMessage } from '../../model/messages/read/message-access.ts'
import { customEmojiOf } from '../../store/emoji/custom-emoji-rows.ts'
import { type CustomEmojiLookup, emojiNamed, formerCodesOf } from '../../store/emoji/emoji-lookup.ts'
import { findReaction } from '../../store/reactions/reaction-rows.ts'
import { takeReaction } from './change-reaction.ts'

/**
 * Removes the caller's own reaction from a message. Source:
 * docs/interface/messages.md#add-or-remove-a-reaction.
 */
export const removeReactionEndpoint = defineEndpoint({
  operation: 'remove-reaction',
  method: 'DELETE',
  path: '/messages/:message_id/reactions',
  access: 'user',
  params: {
    message_id: pathInteger,
    emoji_name: v.optional(textUpTo(NAME_LENGTH)),
    emoji_code: v.optional(word),
    reaction_type: v.optional(word, 'unicode_emoji'),
  },
  returns: v.object({}),
  command: { apply: removeReaction },
  audit: 'speech',
})

interface RemoveReactionParams {
  readonly message_id: number
  readonly emoji_name?: string
  readonly emoji_code?: string
  readonly reaction_type: string
}

/**
 * Removes a reaction. The emoji need not exist any more, only the reaction. Source:
 * docs/interface/messages.md#add-or-remove-a-reaction.
 */
function removeReaction(tx: RealmTransaction, caller: Caller, params: RemoveReactionParams): object {
  const message = requireModifiableMessage(tx, caller, params.message_id)
  const reaction_type = normalReactionType(params.reaction_type)
  const own = emojiCodesOf(params, customEmojiOf(tx.sql))
    .map((emoji_code) => findReaction(tx.sql, message.id, caller.user.id, { emoji_code, reaction_type }))
    .find((found) => found !== undefined)
  if (!own) throw new ReactionDoesNotExistError()
  takeReaction(tx, caller.user, message, own)
  return {}
}

/** Returns the codes that the reaction may have: by a name alone also those of emoji that had it before. */
function emojiCodesOf({ emoji_name, emoji_code }: RemoveReactionParams, custom: CustomEmojiLookup): string[] {
  if (emoji_code !== undefined) return [emoji_code]
  if (emoji_name === undefined) {
    throw new BadRequestError(
      'At least one of the following arguments must be present: emoji_name, emoji_code',
    )
  }
  return [emojiNamed(emoji_name, custom).emoji_code, ...formerCodesOf(emoji_name)]
}
