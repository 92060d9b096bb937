import { PAGE_OF_ROWS } from '../../core/budgets.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { deleteArchive } from '../../model/exports/finished-exports.ts'
import { discardAttachment } from '../../model/uploads/attachments.ts'
import {
  deleteDeadLettersBefore,
  KEPT_SECONDS,
  oldestDeadLetterAt,
} from '../../store/dead-letters/dead-letter-rows.ts'
import { listFinishedExports } from '../../store/exports/export-rows.ts'
import { isFileHeld } from '../../store/holds/hold-rows.ts'
import { forgetImportedFile } from '../../store/imports/imported-rows.ts'
import { forgetEmptiedTopics, oldestEmptiedTopicAt } from '../../store/messages/topic-rows.ts'
import { findAttachment, isUnclaimed } from '../../store/uploads/attachment-rows.ts'
import {
  deleteUnclaimed,
  listUnclaimed,
  oldestUnclaimedAt,
  putUnclaimed,
} from '../../store/uploads/removal-rows.ts'

/** Number of files that one commit deletes, some ten rows each. */
const FILES_AT_ONCE = 100

/** Deletes everything that was stored for a limited time, which has ended. Returns when more is due (UNIX seconds). */
export function forgetOld(tx: RealmTransaction): number | undefined {
  const before = Math.floor(tx.now - KEPT_SECONDS)
  deleteDeadLettersBefore(tx.sql, before)
  for (const exported of listFinishedExports(tx.sql)) {
    if (exported.finishedAt! <= before) deleteArchive(tx, exported)
  }
  if (!forgetFiles(tx, before)) return tx.now + 1
  if (forgetEmptiedTopics(tx.sql, before, PAGE_OF_ROWS) === PAGE_OF_ROWS) return tx.now + 1
  const kept = [
    oldestDeadLetterAt(tx.sql),
    oldestUnclaimedAt(tx.sql),
    oldestEmptiedTopicAt(tx.sql),
    ...listFinishedExports(tx.sql).map(({ finishedAt }) => finishedAt!),
  ].filter((since) => since !== undefined)
  return kept.length === 0 ? undefined : Math.min(...kept) + KEPT_SECONDS
}

/** Deletes uploads to which no message has linked since then. False when there may be more. */
function forgetFiles(tx: RealmTransaction, before: number): boolean {
  const ids = listUnclaimed(tx.sql, before, FILES_AT_ONCE)
  for (const id of ids) {
    deleteUnclaimed(tx.sql, id)
    const attachment = findAttachment(tx.sql, id)
    if (!attachment || !isUnclaimed(tx.sql, id)) continue
    if (isFileHeld(tx.sql, attachment)) {
      // Looked at again a month later.
      putUnclaimed(tx.sql, id, tx.now)
      continue
    }
    discardAttachment(tx, attachment)
    forgetImportedFile(tx.sql, id)
  }
  return ids.length < FILES_AT_ONCE
}
