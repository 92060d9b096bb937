import * as v from 'valibot'
import { jsonBoolean, pathInteger } from '../../api/parameter-types.ts'
import { messageSchema } from './message-schema.ts'

/**
 * Parameters for fetching one message, with an account and without. Source:
 * docs/interface/messages.md#get-a-message.
 */
export const messageParameters = {
  message_id: pathInteger,
  apply_markdown: v.optional(jsonBoolean, 'true'),
  allow_empty_topic_name: v.optional(jsonBoolean, 'false'),
}

export const messageAnswer = v.object({ message: messageSchema, raw_content: v.string() })
