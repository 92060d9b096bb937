import type { Command } from '../../core/command.ts'
import { BadRequestError, ReactionDoesNotExistError } from '../../core/errors.ts'
import { normalReactionType } from '../../events/reaction-type.ts'
import type { Caller } from '../caller.ts'
import { customEmojiOf } from '../emoji/custom-emoji-rows.ts'
import { type CustomEmojiLookup, emojiNamed } from '../emoji/emoji-lookup.ts'
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
    const own = findReaction(tx.sql, message.id, caller.user.id, {
      emoji_code: emojiCodeOf(params, customEmojiOf(tx.sql)),
      reaction_type: normalReactionType(params.reaction_type),
    })
    if (!own) throw new ReactionDoesNotExistError()
    takeReaction(tx, caller.user, message, own)
    return {}
  },
}

function emojiCodeOf({ emoji_name, emoji_code }: RemoveReactionParams, custom: CustomEmojiLookup): string {
  if (emoji_code !== undefined) return emoji_code
  if (emoji_name === undefined) {
    throw new BadRequestError(
      'At least one of the following arguments must be present: emoji_name, emoji_code',
    )
  }
  return emojiNamed(emoji_name, custom).emoji_code
}
