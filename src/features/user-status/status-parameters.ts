import * as v from 'valibot'
import { WORD_LENGTH } from '../../api/input-limits.ts'
import { textUpTo, trimmedTextUpTo, word } from '../../api/parameter-types.ts'

const MAX_STATUS_LENGTH = 60

/** Parts of a status; only given ones change. Source: docs/interface/users.md#status. */
export const statusParameters = {
  status_text: v.optional(
    v.pipe(trimmedTextUpTo(MAX_STATUS_LENGTH), v.description('An empty text removes the status text.')),
  ),
  emoji_name: v.optional(textUpTo(WORD_LENGTH)),
  emoji_code: v.optional(word),
  reaction_type: v.optional(word),
}

export const status = v.object({
  away: v.optional(v.boolean()),
  status_text: v.optional(v.string()),
  emoji_name: v.optional(v.string()),
  emoji_code: v.optional(v.string()),
  reaction_type: v.optional(v.string()),
})
