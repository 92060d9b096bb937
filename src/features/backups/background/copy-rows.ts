import { nextRows } from '../../../model/backups/chunk-of-rows.ts'
import type { BackupProgress } from '../../../store/backups/backup-rows.ts'
import { deleteBackupChunks } from '../../../store/backups/backup-rows.ts'
import { followChanges } from '../../../store/backups/changed-rows.ts'
import { copiedTables } from '../../../store/backups/copied-tables.ts'
import type { BackupWork } from './backup-work.ts'

/** Copies some rows of a table. From the first on, what changes is marked. */
export async function copyRows(
  work: BackupWork,
  progress: Extract<BackupProgress, { stage: 'rows' }>,
): Promise<void> {
  const { sql, storage } = work.runtime
  const tables = copiedTables(storage.sql)
  if (progress.table === 0 && progress.after === null) {
    deleteBackupChunks(sql)
    followChanges(storage.sql, tables)
  }
  const table = tables[progress.table]
  if (!table) return work.advance(progress, { stage: 'texts', after: 0 })
  const { lines, last } = nextRows(sql, table, progress.after)
  const chunk = await work.store(table.table, lines)
  const next: BackupProgress = last
    ? { ...progress, after: last }
    : { stage: 'rows', table: progress.table + 1, after: null }
  work.advance(progress, next, [chunk])
}
