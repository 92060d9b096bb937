import * as v from 'valibot'
import { finishMessage, getMessage } from '../../domain/messages/get-message.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { jsonBoolean, pathInteger } from '../parameter-types.ts'
import { messageSchema } from './message-schema.ts'

/** Fetches one message. Source: SPEC 4.11. */
export const getMessageEndpoint = defineEndpoint({
  operation: 'get-message',
  method: 'GET',
  path: '/messages/:message_id',
  access: 'user',
  params: {
    message_id: pathInteger,
    apply_markdown: v.optional(jsonBoolean, 'true'),
    allow_empty_topic_name: v.optional(jsonBoolean, 'false'),
  },
  returns: v.object({ message: messageSchema, raw_content: v.string() }),
  command: getMessage,
  finish: (found, params, { bodies }) => finishMessage(found, params, bodies),
})
