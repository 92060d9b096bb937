import { finishMessage, getMessage } from '../../domain/messages/read/get-message.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { getPublicMessageEndpoint } from '../spectators/get-public-message.ts'
import { messageAnswer, messageParameters } from './one-message.ts'

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
