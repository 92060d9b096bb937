import { state } from '../chat.ts'
import { newestIn } from '../state/commands.ts'
import type { Conversation } from '../state/conversation.ts'
import { call } from './call.ts'

/**
 * Runs a typed command. `/remind` is about the newest message of the conversation, and its times are those that the page shows. Returns
 * when the reminder comes, in UNIX seconds; undefined for other commands.
 */
export async function runCommand(command: string, where: Conversation): Promise<number | undefined> {
  const answer = await call('POST', '/zcommand', {
    command,
    message_id: newestIn(state, where),
    timezone: state.settings.timezone || Intl.DateTimeFormat().resolvedOptions().timeZone,
  })
  return answer.scheduled_delivery_timestamp as number | undefined
}
