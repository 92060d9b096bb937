import { defineEndpoint } from '../../api/define-endpoint.ts'
import type { ReadCommand } from '../../core/command.ts'
import type { Anyone } from '../../model/anyone.ts'
import { findReadableMessage } from '../../model/messages/read/message-access.ts'
import { inPublicForm } from '../../model/spectators/public-form.ts'
import { spectatorCaller } from '../../model/spectators/spectator.ts'
import { notLoggedIn } from '../../rules/access.ts'
import {
  type FoundMessage,
  finishMessage,
  type GetMessageParams,
  messageAnswer,
  messageParameters,
  presentFoundMessage,
} from './one-message.ts'

/**
 * Gets one message of a web-public channel, for a visitor without an account. All others are refused like one
 * that does not exist. Source: docs/interface/visitors.md#routes; docs/interface/visitors.md#messages.
 * @throws UnauthorizedError
 */
const getPublicMessage: ReadCommand<Anyone, GetMessageParams, void, FoundMessage> = {
  reads: true,
  apply(tx, { source }, { message_id, allow_empty_topic_name }) {
    const caller = spectatorCaller(tx, source)
    const message = findReadableMessage(tx, caller, message_id)
    if (!message) throw notLoggedIn()
    const found = presentFoundMessage(tx, caller, message, allow_empty_topic_name)
    return { ...found, message: inPublicForm(tx, [found.message])[0]! }
  },
  bodiesFor: ({ message }) => [message.facts.id],
}

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
