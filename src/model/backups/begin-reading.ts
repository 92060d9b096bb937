import { deploymentOf } from '../../core/call.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { DAY } from '../../core/time.ts'
import { type Backup, findKeptBackup } from '../../store/backups/backup-rows.ts'
import { deleteOldDifferences } from '../../store/backups/difference-rows.ts'
import {
  type BackupPart,
  countReadingsSince,
  findUnfinishedReading,
  insertReading,
} from '../../store/backups/reading-rows.ts'
import type { Caller } from '../caller.ts'

/** Comparisons, and parts that are given back, in a day: each reads a whole backup. */
const READINGS_A_DAY = 20

/** @throws BadRequestError unless there is such a backup, and it is kept */
export function requireBackup(sql: Sql, id: number): Backup {
  const backup = findKeptBackup(sql, id)
  if (!backup) throw new BadRequestError('Invalid backup ID')
  return backup
}

/** Begins to read a backup: to compare it, or to give back a part of it. Returns the reading's number. */
export function beginReading(
  tx: RealmTransaction,
  { user, source }: Caller,
  backupId: number,
  part: BackupPart | null,
): number {
  if (!deploymentOf(source).hasBackups) throw new BadRequestError('Backups are not set up on this server.')
  requireBackup(tx.sql, backupId)
  if (findUnfinishedReading(tx.sql)) throw new BadRequestError('A backup is being read.')
  if (countReadingsSince(tx.sql, tx.now - DAY) >= READINGS_A_DAY)
    throw new BadRequestError('Exceeded rate limit.')
  if (!part) deleteOldDifferences(tx.sql, backupId)
  const progress = { stage: 'changes', chunk: 0 } as const
  const id = insertReading(tx.sql, { backupId, askedBy: user.id, part, beganAt: tx.now, progress })
  tx.schedule({ kind: 'read-backup', key: '', dueAt: tx.now })
  return id
}
