import type { Command } from '../../core/command.ts'
import type { Caller } from '../caller.ts'
import { sendNotice } from '../messages/send/send-notice.ts'

/**
 * Sends an administrator the welcome message of newcomers. Source:
 * docs/interface/organization.md#welcome-message.
 */
export const testWelcomeMessage: Command<
  Caller,
  { readonly welcome_message_custom_text: string },
  void,
  { message_id: number }
> = {
  apply(tx, { user, source }, { welcome_message_custom_text }) {
    const message_id = sendNotice(tx, {
      to: { user },
      content: welcome_message_custom_text,
      from: 'welcome-bot',
      origin: source.origin,
    })
    return { message_id }
  },
}
