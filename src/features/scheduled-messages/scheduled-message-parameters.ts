import * as v from 'valibot'
import { MAX_HANDMADE_LIST_LENGTH } from '../../api/input-limits.ts'
import { integer, json, listUpTo, wordOf } from '../../api/parameter-types.ts'

export const scheduledType = wordOf(['direct', 'private', 'stream', 'channel'])

export const scheduledTo = v.pipe(
  json(v.union([integer, listUpTo(MAX_HANDMADE_LIST_LENGTH, integer)])),
  v.description('The id of a channel, or a list of ids of users.'),
)
