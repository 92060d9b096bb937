import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { insertGone } from '../../store/exports/collecting-rows.ts'
import { findUnfinishedExport } from '../../store/exports/export-rows.ts'
import { attachmentsLinkedFrom } from '../../store/uploads/attachment-rows.ts'

/** Records messages about to be deleted, which an unfinished archive must not contain. Called before their links are deleted. */
export function noteGoneMessages(
  { sql }: Pick<RealmTransaction, 'sql'>,
  messageIds: readonly number[],
): void {
  if (!findUnfinishedExport(sql)) return
  insertGone(sql, messageIds, attachmentsLinkedFrom(sql, messageIds).length > 0)
}

/** Records that a file's owner deletes it; the messages that link to it stay. */
export function noteGoneFile({ sql }: Pick<RealmTransaction, 'sql'>): void {
  if (findUnfinishedExport(sql)) insertGone(sql, [0], true)
}
