import * as v from 'valibot'
import { sendSubmessage } from '../../domain/submessages/send-submessage.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { WIDGET_LENGTH, WORD_LENGTH } from '../input-limits.ts'
import { jsonInteger, textUpTo } from '../parameter-types.ts'

/** Sends an entry to a poll or a to-do list. Source: docs/interface/messages.md#widgets. */
export const sendSubmessageEndpoint = defineEndpoint({
  operation: 'send-submessage',
  method: 'POST',
  path: '/submessage',
  access: 'user',
  growsObject: true,
  params: {
    message_id: jsonInteger,
    msg_type: textUpTo(WORD_LENGTH),
    content: v.pipe(textUpTo(WIDGET_LENGTH), v.description('JSON that the widget understands.')),
  },
  returns: v.object({}),
  command: sendSubmessage,
  audit: 'speech',
})
