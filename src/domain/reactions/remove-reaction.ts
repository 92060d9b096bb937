import type { Command } from '../../core/command.ts'
import { BadRequestError, ReactionDoesNotExistError } from '../../core/errors.ts'
import { normalReactionType } from '../../events/reaction-type.ts'
import type { Caller } from '../caller.ts'
import { customEmojiOf } from '../emoji/custom-emoji-rows.ts'
import { type CustomEmojiLookup, emojiNamed, formerCodesOf } from '../emoji/emoji-lookup.ts'
import { requireModifiableMessage } from '../messages/read/message-access.ts'
import { takeReaction } from './change-reaction.ts'
import { findReaction } from './reaction-rows.ts'

export interface RemoveReactionParams {
  readonly message_id: number
  readonly emoji_name?: string
  readonly emoji_code?: string
  readonly reaction_type: string
}

/**
 * Removes a reaction. The emoji need not exist any more, only the reaction. Source:
 * docs/interface/messages.md#add-or-remove-a-reaction.
 */
export const removeReaction: Command<Caller, RemoveReactionParams, void, object> = {
  apply(tx, caller, params) {
    const message = requireModifiableMessage(tx, caller, params.message_id)
    const reaction_type = normalReactionType(params.reaction_type)
    const own = emojiCodesOf(params, customEmojiOf(tx.sql))
      .map((emoji_code) => findReaction(tx.sql, message.id, caller.user.id, { emoji_code, reaction_type }))
      .find((found) => found !== undefined)
    if (!own) throw new ReactionDoesNotExistError()
    takeReaction(tx, caller.user, message, own)
    return {}
  },
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
