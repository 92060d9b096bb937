import { assert, BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction, RealmView } from '../../core/realm-transaction.ts'
import { DAY } from '../../core/time.ts'
import { findUnfinishedBackup, keepBackup } from '../../store/backups/backup-rows.ts'
import { findUnfinishedReading } from '../../store/backups/reading-rows.ts'
import { findRestoreUnderWay, returnsUpTo, writeRestoration } from '../../store/backups/restoration-rows.ts'
import { requireBackup } from './begin-reading.ts'

/** Seconds for which the backup that is restored, and that of what it replaces, are kept, whatever the rule says. */
export const KEPT_AFTER_RESTORE = 30 * DAY

/** @throws BadRequestError (400) */
export function requireNothingUnderWay({ sql }: Pick<RealmView, 'sql'>): void {
  if (findUnfinishedBackup(sql)) throw new BadRequestError('A backup is being made.')
  if (findRestoreUnderWay(sql)) throw new BadRequestError('A backup is being restored.')
}

/**
 * Begins to replace the organization by one of its backups. `askedBy`: an owner; null for the operator.
 * @throws BadRequestError (400)
 */
export function beginRestore(tx: RealmTransaction, backupId: number, askedBy: number | null): void {
  const { takenAt } = requireBackup(tx.sql, backupId)
  assert(takenAt !== null, 'a backup that was made has its moment')
  requireNothingUnderWay(tx)
  if (findUnfinishedReading(tx.sql)) throw new BadRequestError('A backup is being read.')
  keepBackup(tx.sql, backupId, tx.now + KEPT_AFTER_RESTORE)
  writeRestoration(tx.sql, {
    backupId,
    takenAt,
    askedBy,
    beganAt: tx.now,
    archiveId: null,
    progress: { stage: 'check', part: 0 },
    tries: 0,
    endedAt: null,
    outcome: null,
    earlier: returnsUpTo(tx.sql),
  })
  tx.schedule({ kind: 'check-backup', key: '', dueAt: tx.now })
}
