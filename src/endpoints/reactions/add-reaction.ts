import * as v from 'valibot'
import { addReaction } from '../../domain/reactions/add-reaction.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { NAME_LENGTH } from '../input-limits.ts'
import { pathInteger, textUpTo, word } from '../parameter-types.ts'

/** Reacts to a message with an emoji. Source: docs/interface/messages.md#add-or-remove-a-reaction. */
export const addReactionEndpoint = defineEndpoint({
  operation: 'add-reaction',
  method: 'POST',
  path: '/messages/:message_id/reactions',
  access: 'user',
  growsObject: true,
  params: {
    message_id: pathInteger,
    emoji_name: textUpTo(NAME_LENGTH),
    emoji_code: v.optional(word),
    reaction_type: v.optional(
      v.pipe(
        word,
        v.description(
          '`unicode_emoji`, `realm_emoji` or `svc_extra_emoji`. By default it follows from the name.',
        ),
      ),
    ),
  },
  returns: v.object({}),
  command: addReaction,
  audit: 'speech',
})
