import * as v from 'valibot'
import { MAX_HANDMADE_LIST_LENGTH, WEB_ADDRESS_LENGTH } from './input-limits.ts'
import { integer, json, listUpTo, textUpTo } from './parameter-types.ts'

/** Values for profile fields: text, or the ids of people; null removes a value. */
export const profileData = json(
  listUpTo(
    MAX_HANDMADE_LIST_LENGTH,
    v.object({
      id: integer,
      value: v.nullable(v.union([textUpTo(WEB_ADDRESS_LENGTH), listUpTo(MAX_HANDMADE_LIST_LENGTH, integer)])),
    }),
  ),
)
