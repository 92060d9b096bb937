import { defineEndpoint } from '../../api/define-endpoint.ts'
import { getPublicMessageEndpoint } from './get-public-message.ts'
import { messageAnswer, messageParameters } from './one-message.ts'
import { finishMessage, getMessage } from './read/get-message.ts'

/** Fetches one message. Source: docs/interface/messages.md#get-a-message. */
export const getMessageEndpoint = defineEndpoint({
  operation: 'get-message',
  method: 'GET',
  path: '/messages/:message_id',
  access: 'user',
  params: messageParameters,
  returns: messageAnswer,
  command: getMessage,
  forSpectators: getPublicMessageEndpoint,
  finish: (found, params, { bodies }) => finishMessage(found, params, bodies),
})
