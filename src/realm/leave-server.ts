import type { RealmAnswer } from '../core/call.ts'
import { ApiError, BadRequestError } from '../core/errors.ts'
import type { JobRuntime } from '../core/job-runtime.ts'
import { CountedSql } from '../engine/counted-sql.ts'
import { KEPT_AFTER_RESTORE, requireNothingUnderWay } from '../model/backups/begin-restore.ts'
import { FIRST_STAGE, insertBackup, keepBackup } from '../store/backups/backup-rows.ts'
import { findRestoreUnderWay, movedTo, writeRestoration } from '../store/backups/restoration-rows.ts'
import { deleteMeta } from '../store/meta-rows.ts'

/**
 * Closes the organization, which moves to another server: from here on it answers nobody but with the address, and its last backup is made.
 * @throws BadRequestError (400)
 */
function leaveServer({ backups, realm, change }: JobRuntime, to: string): void {
  if (realm.copyOf) throw new BadRequestError('A copy of a backup cannot move.')
  if (backups.stores.length === 0) throw new BadRequestError('Backups are not set up on this server.')
  change((tx) => {
    requireNothingUnderWay(tx)
    const archiveId = insertBackup(tx.sql, { askedBy: null, beganAt: tx.now, progress: FIRST_STAGE })
    keepBackup(tx.sql, archiveId, tx.now + KEPT_AFTER_RESTORE)
    writeRestoration(tx.sql, {
      backupId: archiveId,
      takenAt: tx.now,
      askedBy: null,
      beganAt: tx.now,
      archiveId,
      progress: { stage: 'archive', to },
      tries: 0,
      endedAt: null,
      outcome: null,
    })
  })
}

/** Does so; returns the refusal where it cannot. */
export function refusalOfLeaving(runtime: JobRuntime, to: string): RealmAnswer['outcome'] | undefined {
  try {
    leaveServer(runtime, to)
    return undefined
  } catch (error) {
    if (error instanceof ApiError) return { ok: false, error: error.toWire() }
    throw error
  }
}

/** Opens an organization again that was to move, or has moved. False if it is not closed for that. */
export function stayOnServer(storage: DurableObjectStorage): boolean {
  const sql = new CountedSql(storage.sql)
  if (movedTo(sql) === undefined) return false
  // A backup that is being made goes on as any other.
  storage.transactionSync(() => deleteMeta(sql, 'restoration'))
  return true
}

/** Where an organization stands that is to leave: the last backup is made once it is `away`. */
export function standingOfMove({
  sql: stored,
}: DurableObjectStorage): { readonly to: string; readonly isAway: boolean } | null {
  const sql = new CountedSql(stored)
  const to = movedTo(sql)
  return to === undefined ? null : { to, isAway: findRestoreUnderWay(sql)?.progress.stage === 'away' }
}
