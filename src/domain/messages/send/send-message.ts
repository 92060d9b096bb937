import type { Command } from '../../../core/command.ts'
import { warnOfMissingChannel } from '../../bots/warn-bot-owner.ts'
import type { Caller } from '../../caller.ts'
import type { MessageAddresses } from './addresses-of-message.ts'
import { type SendMessageParams, sendForCaller } from './send-for-caller.ts'
import type { SentMessage } from './store-message.ts'

/**
 * Sends a message to a channel or to people.
 * Source: docs/interface/messages.md#send-a-message; docs/interface/access.md#channels; docs/interface/conventions.md#topics; docs/interface/conventions.md#limits; docs/decisions/design.md#sends-are-exactly-once.
 */
export const sendMessage: Command<Caller, SendMessageParams, void, SentMessage & MessageAddresses> = {
  apply: sendForCaller,
  afterRefusal(tx, { user, source }, _params, refusal) {
    warnOfMissingChannel(tx, user, refusal, source.origin)
  },
}
