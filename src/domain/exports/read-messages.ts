import { recipientOf } from '../../core/recipient-id.ts'
import type { IndexedMessage } from '../messages/message-rows.ts'
import { type PresentedMessage, presentMessages } from '../messages/read/present-message.ts'
import { realmProperty } from '../realm/realm-setting-rows.ts'
import { listSystemBots } from '../users/user-rows.ts'
import { messagesAfter } from './export-page-rows.ts'
import type { ExportSource, ExportView } from './export-source.ts'
import { readerOf } from './read-organization.ts'

/** Number of messages of a page, and number of those that are read for it. */
const MESSAGES_PER_PAGE = 250
const LOOKED_AT = 2_000

/** Messages up to the newest one of the start, oldest first. */
export const messagesSource: ExportSource = {
  name: 'messages',
  read(view, [after = 0]) {
    const { tx, exported, scope } = view
    const looked = messagesAfter(tx.sql, after, exported.newestMessageId, LOOKED_AT)
    const included = looked.filter((message) => scope.includesMessage(message))
    const page = included.slice(0, MESSAGES_PER_PAGE)
    const isCut = page.length < included.length
    return {
      kind: 'messages',
      messages: present(view, page),
      historyPolicy: realmProperty(tx.sql, 'message_edit_history_visibility_policy'),
      next: isCut ? [page.at(-1)!.id] : looked.length < LOOKED_AT ? null : [looked.at(-1)!.id],
    }
  },
}

/**
 * Presents messages for no particular reader, as one of the system bots. The name of a conversation between
 * two, as one side has it, would not distinguish it, so it gets the conversation's number.
 */
function present({ tx, exported }: ExportView, page: readonly IndexedMessage[]): PresentedMessage[] {
  const reader = readerOf(tx, listSystemBots(tx.sql)[0]!, exported)
  const presented = presentMessages(tx, reader, page, { clientGravatar: false, allowEmptyTopic: true })
  return presented.map((message, index) => {
    const { recipientId } = page[index]!
    return recipientOf(recipientId).kind === 'channel'
      ? message
      : { ...message, facts: { ...message.facts, recipient_id: recipientId } }
  })
}
