import * as v from 'valibot'
import { setTyping } from '../../domain/typing/set-typing.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { sentTopic } from '../messages/message-parameters.ts'
import { jsonIds, jsonInteger, wordOf } from '../parameter-types.ts'

/** Notifies the others that the caller is typing, or has stopped. Source: docs/interface/messages.md#typing. */
export const setTypingEndpoint = defineEndpoint({
  operation: 'set-typing',
  method: 'POST',
  path: '/typing',
  access: 'user',
  params: {
    type: v.optional(wordOf(['direct', 'private', 'stream', 'channel']), 'direct'),
    op: wordOf(['start', 'stop']),
    to: v.optional(v.pipe(jsonIds, v.description('Ids of users, for direct messages.'))),
    stream_id: v.optional(jsonInteger),
    topic: v.optional(sentTopic),
  },
  returns: v.object({}),
  command: setTyping,
  audit: 'speech',
})
