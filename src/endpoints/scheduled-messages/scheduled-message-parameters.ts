import * as v from 'valibot'
import { LONGEST_HANDMADE_LIST } from '../input-limits.ts'
import { integer, json, listUpTo } from '../parameter-types.ts'

export const scheduledType = v.picklist(['direct', 'private', 'stream', 'channel'])

export const scheduledTo = v.pipe(
  json(v.union([integer, listUpTo(LONGEST_HANDMADE_LIST, integer)])),
  v.description('The id of a channel, or a list of ids of users.'),
)
