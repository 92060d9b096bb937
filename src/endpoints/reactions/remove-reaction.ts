import * as v from 'valibot'
import { removeReaction } from '../../domain/reactions/remove-reaction.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { NAME_LENGTH } from '../input-limits.ts'
import { pathInteger, textUpTo, word } from '../parameter-types.ts'

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
  command: removeReaction,
  audit: 'speech',
})
