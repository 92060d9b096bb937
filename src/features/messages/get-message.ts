import { defineEndpoint } from '../../api/define-endpoint.ts'
import { getPublicMessageEndpoint } from './get-public-message.ts'
import { finishMessage, getMessage, messageAnswer, messageParameters } from './one-message.ts'

/** Fetches one message. Source: docs/interface/messages.md#get-a-message. */
export const getMessageEndpoint = defineEndpoint({
  operation: 'get-message',
  method: 'GET',
  path: '/messages/:message_id',
  access: 'user',
  params: messageParameters,
  returns: messageAnswer,
  command: { reads: true, apply: getMessage, bodiesFor: ({ message }) => [message.facts.id] },
  forSpectators: getPublicMessageEndpoint,
  finish: (found, params, { bodies }) => finishMessage(found, params, bodies),
})
