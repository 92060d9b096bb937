import type { RealmAnswer } from '../../core/call.ts'
import { ApiError, BadRequestError } from '../../core/errors.ts'
import type { JobRuntime } from '../../core/job-runtime.ts'
import { CountedSql } from '../../engine/counted-sql.ts'
import { beginRestore } from '../../model/backups/begin-restore.ts'
import { presentBackup, presentBackups, presentRestore } from '../../model/backups/present-backups.ts'
import { insertAuditEntry } from '../../store/audit-log/audit-entry-rows.ts'
import { listBackups, listBackupsAside } from '../../store/backups/backup-rows.ts'
import { areBackupsAside } from '../../store/backups/living-rows.ts'
import { isRestoreStuck, readRestoration, restoreInstead } from '../../store/backups/restoration-rows.ts'

type Outcome = RealmAnswer['outcome']

/** Lists the backups for the operator, and has one of them replace the organization if it is named. */
export function operateBackups(
  runtime: Pick<JobRuntime, 'backups' | 'change' | 'sql'>,
  backupId: number | null,
): Outcome {
  try {
    if (runtime.backups.stores.length === 0)
      throw new BadRequestError('Backups are not set up on this server.')
    if (backupId !== null) {
      runtime.change((tx) => {
        beginRestore(tx, backupId, null)
        const details = { backup_id: backupId }
        insertAuditEntry(tx.sql, {
          at: tx.now,
          action: 'restore_begun',
          actorId: null,
          address: null,
          details,
        })
      })
    }
    return { ok: true, value: presentBackups(runtime.sql) }
  } catch (error) {
    if (error instanceof ApiError) return { ok: false, error: error.toWire() }
    throw error
  }
}

/**
 * Says how far a restore is while the organization answers nobody. Once nothing can go on, another backup is filled in if it is named; there is
 * no archive of what is there then.
 */
export function operateRestore(
  { sql: stored }: Pick<DurableObjectStorage, 'sql'>,
  backupId: number | null,
): Outcome {
  const sql = new CountedSql(stored)
  const backups = areBackupsAside(sql) ? listBackupsAside(sql) : listBackups(sql)
  if (backupId !== null) {
    const chosen = backups.find(({ id, finishedAt }) => id === backupId && finishedAt !== null)
    if (!isRestoreStuck(sql)) return refused('A backup is being restored.')
    if (!chosen) return refused('Invalid backup ID')
    restoreInstead(sql, { id: backupId, takenAt: chosen.takenAt! })
  }
  return {
    ok: true,
    value: { restore: presentRestore(readRestoration(sql)), backups: backups.map(presentBackup) },
  }
}

function refused(message: string): Outcome {
  return { ok: false, error: new BadRequestError(message).toWire() }
}
