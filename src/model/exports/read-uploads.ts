import { ENTRIES_AT_ONCE } from '../../core/budgets.ts'
import { idsAfter } from '../../store/exports/collecting-rows.ts'
import { findMessages } from '../../store/messages/message-rows.ts'
import {
  type Attachment,
  findAttachments,
  findAttachmentsAt,
  newestLinks,
} from '../../store/uploads/attachment-rows.ts'
import type { ExportSource, ExportView } from './export-source.ts'

const UPLOADS_PER_PAGE = 100

/** Uploads to which messages of the export link. */
export const uploadsSource: ExportSource = {
  name: 'files',
  read(view, [after = 0]) {
    const ids = idsAfter(view.tx.sql, 'attachment', after, UPLOADS_PER_PAGE)
    const { uploads, read } = linkedAmong(view, ids)
    const isLast = read.length === ids.length && ids.length < UPLOADS_PER_PAGE
    return { kind: 'uploads', uploads, next: isLast ? null : [read.at(-1)!] }
  },
}

/** Returns those of the uploads to which messages of the export link, and which of them were looked at: at least one. */
function linkedAmong(
  { tx: { sql }, exported, scope }: ExportView,
  ids: readonly number[],
): { readonly uploads: readonly Attachment[]; readonly read: readonly number[] } {
  // One more than an upload can have, so that each page has at least one whole upload.
  const all = ENTRIES_AT_ONCE + 1
  const links = newestLinks(sql, ids, { each: ENTRIES_AT_ONCE, all, upTo: exported.newestMessageId })
  const end = links.length === all ? links.at(-1)!.attachmentId : Number.POSITIVE_INFINITY
  const read = ids.filter((id) => id < end)
  const byUpload = Map.groupBy(links, ({ attachmentId }) => attachmentId)
  const uploads = findAttachments(sql, read).filter(({ id }) => {
    const linking = (byUpload.get(id) ?? []).map(({ messageId }) => messageId)
    return findMessages(sql, linking).some((message) => scope.includesMessage(message))
  })
  return { uploads, read }
}

const UPLOAD = /\/user_uploads\/(?:thumbnail\/)?(\d+\/[^\s()]{1,2000})/g

/** Returns the paths of uploads of the export that some texts name. */
export function filesNamedIn(view: ExportView, texts: readonly string[]): ReadonlySet<string> {
  const paths = texts.flatMap((text) => Array.from(text.matchAll(UPLOAD), ([, path]) => path!))
  if (paths.length === 0) return new Set()
  const found = new Set<string>()
  let ids = findAttachmentsAt(view.tx.sql, [...new Set(paths)]).map(({ id }) => id)
  while (ids.length > 0) {
    const { uploads, read } = linkedAmong(view, ids.slice(0, UPLOADS_PER_PAGE))
    for (const { path } of uploads) found.add(path)
    ids = ids.slice(read.length)
  }
  return found
}
