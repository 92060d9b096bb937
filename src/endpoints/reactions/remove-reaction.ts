import * as v from 'valibot'
import { removeReaction } from '../../domain/reactions/remove-reaction.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { pathInteger, text } from '../parameter-types.ts'

/** Takes one's own reaction off a message. Source: core-endpoints 7. */
export const removeReactionEndpoint = defineEndpoint({
  operation: 'remove-reaction',
  method: 'DELETE',
  path: '/messages/:message_id/reactions',
  access: 'user',
  params: {
    message_id: pathInteger,
    emoji_name: v.optional(text),
    emoji_code: v.optional(text),
    reaction_type: v.optional(text, 'unicode_emoji'),
  },
  returns: v.object({}),
  command: removeReaction,
})
