import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { insertProblems } from '../../domain/imports/import-piece-rows.ts'
import type { ImportProgress } from '../../domain/imports/import-progress.ts'
import { ImportTally } from '../../domain/imports/import-report.ts'
import {
  findImport,
  type RealmImport,
  requireAdvance,
  writeReport,
} from '../../domain/imports/import-rows.ts'
import type { ImportWork } from '../../domain/imports/import-work.ts'
import { suspendableChange } from '../jobs/change-by-job.ts'
import type { Runtime } from '../runtime.ts'

/** Makes one commit of an import: what is written, what is counted, and the progress. */
export async function writeStep<Next extends ImportProgress>(
  runtime: Runtime,
  { id }: Pick<RealmImport, 'id'>,
  from: ImportProgress,
  progress: Next,
  write: (tx: RealmTransaction, work: ImportWork) => void,
): Promise<Next> {
  await suspendableChange(runtime, (tx) => {
    const imported = findImport(tx.sql, id)!
    const tally = new ImportTally(imported.report)
    requireAdvance(tx.sql, id, from, progress)
    const allowsWebPublic = runtime.allowsWebPublic()
    write(tx, { imported, sourceId: imported.sourceId!, tally, allowsWebPublic })
    insertProblems(tx.sql, id, imported.report.problemsListed, tally.listed)
    writeReport(tx.sql, id, tally.report)
  })
  return progress
}
