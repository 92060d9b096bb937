import * as v from 'valibot'
import { MAX_HANDMADE_LIST_LENGTH, MAX_LIST_LENGTH } from '../../api/input-limits.ts'
import { integer, json, listUpTo } from '../../api/parameter-types.ts'

/** The people whose settings an administrator changes. */
export const targetUsers = v.pipe(
  json(
    v.object({
      user_ids: v.optional(listUpTo(MAX_LIST_LENGTH, integer), []),
      group_ids: v.optional(listUpTo(MAX_HANDMADE_LIST_LENGTH, integer), []),
      skip_if_already_edited: v.boolean(),
    }),
  ),
  v.description('People whose settings are changed in place of the caller’s own, for administrators.'),
)
