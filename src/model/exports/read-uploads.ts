import { ENTRIES_AT_ONCE } from '../../core/budgets.ts'
import { idsAfter } from '../../store/exports/export-page-rows.ts'
import { findMessages } from '../../store/messages/message-rows.ts'
import { findAttachments, newestLinks } from '../../store/uploads/attachment-rows.ts'
import type { ExportSource } from './export-source.ts'

const UPLOADS_PER_PAGE = 100

/** Uploads that a message of the export links to, of the newest messages that do. */
export const uploadsSource: ExportSource = {
  name: 'attachments',
  read({ tx, exported, scope }, [after = 0]) {
    const ids = idsAfter(tx.sql, 'attachment', after, UPLOADS_PER_PAGE)
    // One more than one upload can have, so that each page has at least one whole upload.
    const all = ENTRIES_AT_ONCE + 1
    const links = newestLinks(tx.sql, ids, {
      each: ENTRIES_AT_ONCE,
      all,
      upTo: exported.newestMessageId,
    })
    const end = links.length === all ? links.at(-1)!.attachmentId : Number.POSITIVE_INFINITY
    const read = ids.filter((id) => id < end)
    const byUpload = Map.groupBy(links, ({ attachmentId }) => attachmentId)
    const uploads = findAttachments(tx.sql, read).flatMap((attachment) => {
      const linking = (byUpload.get(attachment.id) ?? []).map(({ messageId }) => messageId)
      const messages = findMessages(tx.sql, linking)
        .filter((message) => scope.includesMessage(message))
        .map(({ id, sentAt }) => ({ id, date_sent: sentAt * 1_000 }))
      return messages.length > 0 ? [{ attachment, messages }] : []
    })
    const isLast = read.length === ids.length && ids.length < UPLOADS_PER_PAGE
    return { kind: 'uploads', uploads, next: isLast ? null : [read.at(-1)!] }
  },
}
