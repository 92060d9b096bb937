import { defineEndpoint } from '../../api/define-endpoint.ts'
import { allOfIds, getMessages, loadMessages } from './fetch-messages.ts'
import { getPublicMessagesEndpoint } from './get-public-messages.ts'
import { finishMessages } from './in-worker/finish-messages.ts'
import { messagesAnswer, messagesMemory, messagesParameters } from './many-messages.ts'
import type { FoundMessages } from './read/found-messages.ts'

/** Fetches messages. Source: docs/interface/reading.md#fetch-messages. */
export const getMessagesEndpoint = defineEndpoint({
  operation: 'get-messages',
  method: 'GET',
  path: '/messages',
  access: 'user',
  params: messagesParameters,
  returns: messagesAnswer,
  command: {
    reads: true,
    load: loadMessages,
    apply: getMessages,
    bodiesFor: ({ messages }) => messages.ids,
  },
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
