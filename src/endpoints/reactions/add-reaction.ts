import * as v from 'valibot'
import { addReaction } from '../../domain/reactions/add-reaction.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { pathInteger, text } from '../parameter-types.ts'

/** Reacts to a message with an emoji. Source: core-endpoints 7. */
export const addReactionEndpoint = defineEndpoint({
  operation: 'add-reaction',
  method: 'POST',
  path: '/messages/:message_id/reactions',
  access: 'user',
  params: {
    message_id: pathInteger,
    emoji_name: text,
    emoji_code: v.optional(text),
    reaction_type: v.optional(
      v.pipe(
        text,
        v.description('`unicode_emoji`, `realm_emoji` or `svc_extra_emoji`; follows from the name.'),
      ),
    ),
  },
  returns: v.object({}),
  command: addReaction,
})
