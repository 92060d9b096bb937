import { findMessages } from '../messages/message-rows.ts'
import { findAttachments, messagesLinkingTo } from '../uploads/attachment-rows.ts'
import { idsAfter } from './export-page-rows.ts'
import type { ExportSource } from './export-source.ts'

const UPLOADS_PER_PAGE = 100

/** Uploads that a message of the export links to. */
export const uploadsSource: ExportSource = {
  name: 'attachments',
  read({ tx, exported, scope }, [after = 0]) {
    const ids = idsAfter(tx.sql, 'attachment', after, UPLOADS_PER_PAGE)
    const uploads = findAttachments(tx.sql, ids).flatMap((attachment) => {
      const messages = findMessages(tx.sql, messagesLinkingTo(tx.sql, attachment.id))
        .filter((message) => message.id <= exported.newestMessageId && scope.includesMessage(message))
        .map(({ id, sentAt }) => ({ id, date_sent: sentAt * 1_000 }))
      return messages.length > 0 ? [{ attachment, messages }] : []
    })
    return { kind: 'uploads', uploads, next: ids.length < UPLOADS_PER_PAGE ? null : [ids.at(-1)!] }
  },
}
