import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { insertAuditEntry } from '../../store/audit-log/audit-entry-rows.ts'
import { readRestoration } from '../../store/backups/restoration-rows.ts'
import { findUser, listOwners } from '../../store/users/user-rows.ts'
import { personalNoticeTexts } from '../notices/personal-notice-texts.ts'
import { projectedRealm } from '../projection/projected-account.ts'
import { sendNotice } from '../sending/send-notice.ts'

/** Owners who are notified, at most. */
const MAX_NOTIFIED = 20

/** Enters in the audit log that a backup has replaced the organization, and notifies owners. The asking owner may be newer than the backup. */
export function announceRestore(tx: RealmTransaction): undefined {
  const restoration = readRestoration(tx.sql)
  const { outcome } = restoration ?? {}
  if (!restoration || (outcome !== 'restored' && outcome !== 'returned')) return
  const { askedBy, backupId, archiveId, takenAt } = restoration
  const actorId = askedBy !== null && findUser(tx.sql, askedBy) ? askedBy : null
  const details = { backup_id: backupId, archive_id: archiveId, taken_at: Math.floor(takenAt) }
  // It may have been closed, and listed as one that is to be deleted.
  tx.writeToD1({ statement: 'note-deletion', row: [null] })
  // It may have had another name, or come from another server.
  tx.writeToD1({ statement: 'note-realm', row: projectedRealm(tx) })
  insertAuditEntry(tx.sql, { at: tx.now, action: 'backup_restored', actorId, address: null, details })
  // It has come from another server as it was there, and nothing was lost of which owners need to know.
  if (archiveId === null) return
  const time = `<time:${new Date(takenAt * 1_000).toISOString()}>`
  for (const owner of listOwners(tx.sql).slice(0, MAX_NOTIFIED)) {
    const words = personalNoticeTexts(owner)
    const content = outcome === 'restored' ? words.backupRestored(time) : words.backupReturned(time)
    sendNotice(tx, { to: { user: owner }, content, origin: tx.origin })
  }
}
