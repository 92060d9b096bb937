import type { ImportProgress } from '../../store/imports/import-progress.ts'
import { type RealmImport, requireAdvance } from '../../store/imports/import-rows.ts'
import type { Runtime } from '../runtime.ts'

/** Writes in one commit with the progress of an import. @throws ImportMovedError when another run has come further */
export function commitProgress(
  { sql, storage }: Pick<Runtime, 'sql' | 'storage'>,
  { id }: RealmImport,
  from: ImportProgress,
  progress: ImportProgress,
  write: () => void,
): ImportProgress {
  storage.transactionSync(() => {
    requireAdvance(sql, id, from, progress)
    write()
  })
  return progress
}
