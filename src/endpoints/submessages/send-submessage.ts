import * as v from 'valibot'
import { sendSubmessage } from '../../domain/submessages/send-submessage.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { jsonInteger, text } from '../parameter-types.ts'

/** Says something to a poll or a to-do list. Source: core-endpoints 26. */
export const sendSubmessageEndpoint = defineEndpoint({
  operation: 'send-submessage',
  method: 'POST',
  path: '/submessage',
  access: 'user',
  params: {
    message_id: jsonInteger,
    msg_type: text,
    content: v.pipe(text, v.description('JSON, as the widget understands it.')),
  },
  returns: v.object({}),
  command: sendSubmessage,
})
