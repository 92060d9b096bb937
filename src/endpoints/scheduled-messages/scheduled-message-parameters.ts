import * as v from 'valibot'
import { integer, json } from '../parameter-types.ts'

export const scheduledType = v.picklist(['direct', 'private', 'stream', 'channel'])

export const scheduledTo = v.pipe(
  json(v.union([integer, v.array(integer)])),
  v.description('The id of a channel, or a list of ids of users.'),
)
