import * as v from 'valibot'
import { sendMessage } from '../../domain/messages/send-message.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { alias, json, text } from '../parameter-types.ts'

/**
 * Sends a message to a channel's topic or to people.
 * Source: core-endpoints 3.
 */
export const sendMessageEndpoint = defineEndpoint({
  operation: 'send-message',
  method: 'POST',
  path: '/messages',
  access: 'user',
  params: {
    type: v.picklist(['direct', 'private', 'stream', 'channel']),
    sender: v.optional(
      v.pipe(text, v.description('For bridges to other services, which there are none of.')),
    ),
    forged: v.optional(v.pipe(text, v.description('As `sender`.'))),
    to: v.optional(
      v.pipe(text, v.description('Channel name or id; user ids or addresses, as JSON or comma-separated.')),
    ),
    topic: v.optional(alias('subject', text)),
    content: text,
    widget_content: v.optional(text),
    local_id: v.optional(text),
    queue_id: v.optional(text),
    read_by_sender: v.optional(json(v.nullable(v.boolean()))),
  },
  returns: v.object({ id: v.number(), automatic_new_visibility_policy: v.optional(v.number()) }),
  command: sendMessage,
  // A key finds the message that was sent with it (DESIGN 6).
  repeatable: ({ queue_id, local_id }, { idempotencyKey }) =>
    idempotencyKey !== undefined || (queue_id !== undefined && local_id !== undefined),
})
