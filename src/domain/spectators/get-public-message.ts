import type { ReadCommand } from '../../core/command.ts'
import { notLoggedIn } from '../../permissions/access.ts'
import type { Anyone } from '../anyone.ts'
import {
  type FoundMessage,
  type GetMessageParams,
  presentFoundMessage,
} from '../messages/read/get-message.ts'
import { findReadableMessage } from '../messages/read/message-access.ts'
import { inPublicForm } from './public-form.ts'
import { spectatorCaller } from './spectator.ts'

/**
 * Gets one message of a web-public channel, for somebody without an account. All others are refused like one
 * that does not exist. Source: docs/interface/visitors.md#routes; docs/interface/visitors.md#messages.
 * @throws UnauthorizedError
 */
export const getPublicMessage: ReadCommand<Anyone, GetMessageParams, void, FoundMessage> = {
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
