import type { RealmReads } from '../../core/realm-transaction.ts'
import type { WebhookMessage } from '../../store/bots/webhook-call-rows.ts'
import type { IndexedMessage } from '../../store/messages/message-rows.ts'
import type { User } from '../../store/users/user-rows.ts'
import { type Caller, callerOf } from '../caller.ts'
import { presentMessages } from '../messages/read/present-message.ts'

/** Returns a bot as the reader of its calls. `origin`: `https://chat.example.com`. */
export function readerOfCall({ sql, now }: RealmReads, bot: User, origin: string): Caller {
  return callerOf(sql, bot, { origin, userAgent: '', ip: '' }, now)
}

/** Returns a message in the form for a call to a bot that may read it. */
export function webhookMessageFor(
  tx: RealmReads,
  bot: Caller,
  message: IndexedMessage,
  { content, html }: { readonly content: string; readonly html: string },
): WebhookMessage {
  const options = { clientGravatar: false, allowEmptyTopic: false }
  const [presented] = presentMessages(tx, bot, [message], options)
  const { flags: _, ...facts } = presented!.facts
  return { ...facts, content, content_type: 'text/x-markdown', rendered_content: html }
}
