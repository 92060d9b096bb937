import type { ReadCommand } from '../../core/command.ts'
import type { PresentedScheduledMessage } from '../../events/scheduled-messages.ts'
import type { Caller } from '../caller.ts'
import { presentScheduledMessage } from './present-scheduled-message.ts'
import { listScheduledMessagesOf } from './scheduled-message-rows.ts'

/**
 * Lists the caller's unsent messages, failed ones included, by time. Source:
 * docs/interface/personal.md#scheduled-messages.
 */
export const listScheduledMessages: ReadCommand<
  Caller,
  object,
  void,
  { scheduled_messages: PresentedScheduledMessage[] }
> = {
  reads: true,
  apply: (tx, { user }) => ({
    scheduled_messages: listScheduledMessagesOf(tx.sql, user.id).map((message) =>
      presentScheduledMessage(tx, message),
    ),
  }),
}
