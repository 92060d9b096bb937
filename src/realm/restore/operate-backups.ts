import type { RealmAnswer } from '../../core/call.ts'
import { ApiError, BadRequestError } from '../../core/errors.ts'
import type { JobRuntime } from '../../core/job-runtime.ts'
import { CountedSql } from '../../engine/counted-sql.ts'
import { beginRestore } from '../../model/backups/begin-restore.ts'
import { presentBackups, presentRestore } from '../../model/backups/present-backups.ts'
import { insertAuditEntry } from '../../store/audit-log/audit-entry-rows.ts'
import { readRestoration } from '../../store/backups/restoration-rows.ts'

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

/** Returns how far a restore is while the organization answers nobody. */
export function progressOfRestore({ sql }: Pick<DurableObjectStorage, 'sql'>): Outcome {
  return { ok: true, value: { restore: presentRestore(readRestoration(new CountedSql(sql))), backups: [] } }
}
