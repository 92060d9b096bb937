import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { type ImportWork, type KnownThings, noKnownThings } from '../../model/imports/import-work.ts'
import { insertProblems } from '../../store/imports/import-piece-rows.ts'
import { ImportTally } from '../../store/imports/import-report.ts'
import {
  findReport,
  type ImportProgress,
  type RealmImport,
  requireAdvance,
  writeReport,
} from '../../store/imports/import-rows.ts'
import { suspendableChange } from '../jobs/change-by-job.ts'
import type { Runtime } from '../runtime.ts'

/** Makes one commit of an import, with its records, counts and progress. `known`: of things that no commit changes meanwhile. */
export async function writeStep<Next extends ImportProgress>(
  runtime: Runtime,
  begun: RealmImport,
  from: ImportProgress,
  progress: Next,
  write: (tx: RealmTransaction, work: ImportWork) => void,
  known?: KnownThings,
): Promise<Next> {
  const { id } = begun
  await suspendableChange(runtime, (tx) => {
    const imported = { ...begun, report: findReport(tx.sql, id) }
    const tally = new ImportTally(imported.report)
    requireAdvance(tx.sql, id, from, progress)
    const allowsWebPublic = runtime.allowsWebPublic()
    // What a change that is run again has found of its own things is gone.
    const work = {
      imported,
      sourceId: imported.sourceId!,
      tally,
      allowsWebPublic,
      known: known ?? noKnownThings(),
    }
    write(tx, work)
    insertProblems(tx.sql, id, imported.report.problemsListed, tally.listed)
    writeReport(tx.sql, id, tally.report)
  })
  return progress
}
