import { finishMessage } from '../../domain/messages/read/get-message.ts'
import { getPublicMessage } from '../../domain/spectators/get-public-message.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { messageAnswer, messageParameters } from '../messages/one-message.ts'

/** GET /json/messages/{message_id} without an account. Source: docs/interface/visitors.md#routes; docs/interface/visitors.md#messages. */
export const getPublicMessageEndpoint = defineEndpoint({
  operation: 'get-public-message',
  method: 'GET',
  path: '/messages/:message_id',
  access: 'spectator',
  params: messageParameters,
  returns: messageAnswer,
  command: getPublicMessage,
  finish: (found, params, { bodies }) => finishMessage(found, params, bodies),
})
