import { recipientOf } from '../../core/recipient-id.ts'
import { messagesAfter } from '../../store/exports/export-page-rows.ts'
import type { IndexedMessage } from '../../store/messages/message-rows.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { listSystemBots } from '../../store/users/user-rows.ts'
import { type PresentedMessage, presentMessages } from '../messages/read/present-message.ts'
import { type ExportSource, type ExportView, ROWS_PER_PAGE } from './export-source.ts'
import { readerOf } from './read-organization.ts'

/** Number of messages of a page, and number of those that are looked at for it, roughly. */
const MESSAGES_PER_PAGE = 150
const LOOKED_AT = 2_000
/** Number of them that are read together. */
const READ_TOGETHER = 25

/** Messages up to the newest one of the start, oldest first. */
export const messagesSource: ExportSource = {
  name: 'messages',
  read(view, [after = 0]) {
    const { tx, exported, scope } = view
    const page: IndexedMessage[] = []
    let next: number | null = after
    const before = tx.sql.counts.read
    const isFull = (looked: number) =>
      page.length >= MESSAGES_PER_PAGE || looked >= LOOKED_AT || tx.sql.counts.read - before >= ROWS_PER_PAGE
    for (let looked = 0; next !== null && !isFull(looked); ) {
      const read = messagesAfter(tx.sql, next, exported.newestMessageId, READ_TOGETHER)
      for (const message of read) {
        // Each may be the first of its channel.
        if (isFull(looked)) break
        if (scope.includesMessage(message)) page.push(message)
        looked += 1
        next = message.id
      }
      if (read.length < READ_TOGETHER && (read.length === 0 || next === read.at(-1)!.id)) next = null
    }
    return {
      kind: 'messages',
      messages: present(view, page),
      historyPolicy: realmProperty(tx.sql, 'message_edit_history_visibility_policy'),
      next: next === null ? null : [next],
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
