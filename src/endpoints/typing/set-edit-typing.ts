import * as v from 'valibot'
import { setEditTyping } from '../../domain/typing/set-edit-typing.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { pathInteger, wordOf } from '../parameter-types.ts'

/** Notifies the others that the caller is editing a message, or has stopped. Source: docs/interface/messages.md#typing. */
export const setEditTypingEndpoint = defineEndpoint({
  operation: 'set-edit-typing',
  method: 'POST',
  path: '/messages/:message_id/typing',
  access: 'user',
  params: { message_id: pathInteger, op: wordOf(['start', 'stop']) },
  returns: v.object({}),
  command: setEditTyping,
  audit: 'speech',
})
