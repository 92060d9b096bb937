import { finishMessages } from '../../domain/messages/in-worker/finish-messages.ts'
import type { FoundMessages } from '../../domain/messages/read/found-messages.ts'
import { allPublicOfIds, getPublicMessages } from '../../domain/spectators/get-public-messages.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { messagesAnswer, messagesMemory, messagesParameters } from '../messages/many-messages.ts'

/** GET /json/messages without an account. Source: docs/interface/visitors.md#messages. */
export const getPublicMessagesEndpoint = defineEndpoint({
  operation: 'get-public-messages',
  method: 'GET',
  path: '/messages',
  access: 'spectator',
  params: messagesParameters,
  returns: messagesAnswer,
  command: getPublicMessages,
  workerBytes: messagesMemory,
  finish: async (found, params, { bodies, run }) =>
    finishMessages(
      found,
      params,
      bodies,
      async (ids) => (await run('get-public-messages', { ...allPublicOfIds(params, ids) })) as FoundMessages,
    ),
})
