import { finishMessages } from '../../domain/messages/in-worker/finish-messages.ts'
import type { FoundMessages } from '../../domain/messages/read/found-messages.ts'
import { allOfIds, getMessages } from '../../domain/messages/read/get-messages.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { getPublicMessagesEndpoint } from '../spectators/get-public-messages.ts'
import { messagesAnswer, messagesMemory, messagesParameters } from './many-messages.ts'

/** Fetches messages. Source: docs/interface/reading.md#fetch-messages. */
export const getMessagesEndpoint = defineEndpoint({
  operation: 'get-messages',
  method: 'GET',
  path: '/messages',
  access: 'user',
  params: messagesParameters,
  returns: messagesAnswer,
  command: getMessages,
  forSpectators: getPublicMessagesEndpoint,
  workerBytes: messagesMemory,
  finish: async (found, params, { bodies, run }) =>
    finishMessages(
      found,
      params,
      bodies,
      async (ids) => (await run('get-messages', { ...allOfIds(params, ids) })) as FoundMessages,
    ),
})
