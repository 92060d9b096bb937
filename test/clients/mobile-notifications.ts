import * as v from 'valibot'
import { integer, integers, text } from './mobile-models.ts'

const account = { realm_url: v.pipe(text, v.url()), user_id: integer }
const ofMessage = {
  ...account,
  type: v.literal('message'),
  sender_id: integer,
  sender_avatar_url: v.pipe(text, v.url()),
  sender_full_name: text,
  message_id: integer,
  time: integer,
  content: text,
}

/**
 * What the newest mobile client reads of a decrypted notification: a channel where there is a `channel_id`, else all participants.
 * Of any other type it reads nothing.
 */
export const mobileNotification = v.union([
  v.looseObject({ ...ofMessage, channel_id: integer, channel_name: v.nullish(text), topic: text }),
  v.looseObject({ ...ofMessage, channel_id: v.optional(v.never()), recipient_user_ids: integers }),
  v.looseObject({ ...account, type: v.literal('remove'), message_ids: integers }),
  v.looseObject({ type: v.pipe(text, v.notValues(['message', 'remove'])) }),
])
