import { PAGE_OF_ROWS } from '../../../core/budgets.ts'
import type { JobRuntime } from '../../../core/job-runtime.ts'
import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import type { TimeLimit } from '../../../core/within-time.ts'
import { CHECKED_AT_ONCE, CHECKED_TYPES, dependingOn } from '../../../model/imports/check-undo.ts'
import { UNDO_IN_ORDER } from '../../../model/imports/undo-things.ts'
import { ImportTally } from '../../../store/imports/import-report.ts'
import {
  type CheckingUndoProgress,
  findReport,
  type ImportProgress,
  type RealmImport,
  refuseUndo,
  requireAdvance,
  type UndoingProgress,
  writeReport,
} from '../../../store/imports/import-rows.ts'
import { deleteThings, listThingsOf } from '../../../store/imports/imported-rows.ts'

/** Checks whether anything depends on what an import has made, until the time is over. Nothing is changed before all of it is checked. */
export async function checkUndo(
  runtime: JobRuntime,
  imported: RealmImport,
  from: CheckingUndoProgress,
  time: TimeLimit,
): Promise<void> {
  let progress: ImportProgress | null = from
  do {
    const before: CheckingUndoProgress = progress
    progress = await runtime.suspendableChange((tx) => {
      const next = checkNext(tx, imported, before)
      requireAdvance(tx.sql, imported.id, before, next)
      return next
    })
    await runtime.pause()
  } while (progress?.stage === 'check' && !time.isOver)
}

/** Returns the next progress; null if something depends on the import, which is noted. */
function checkNext(
  tx: RealmTransaction,
  { id, sourceId }: RealmImport,
  from: CheckingUndoProgress,
): CheckingUndoProgress | UndoingProgress | null {
  const type = CHECKED_TYPES[from.step]!
  const limit = CHECKED_AT_ONCE[type]
  const page = listThingsOf(tx.sql, sourceId!, type, from.after, limit)
  const reason = dependingOn(
    tx,
    type,
    page.filter(({ importId, isMade }) => importId === id && isMade),
  )
  if (reason !== undefined) {
    refuseUndo(tx.sql, id, `It cannot be undone any more: ${reason}.`)
    return null
  }
  if (page.length === limit) return { ...from, after: page.at(-1)!.id }
  const isLast = from.step === CHECKED_TYPES.length - 1
  return isLast ? { stage: 'undo', step: 0, after: '' } : { ...from, step: from.step + 1, after: '' }
}

/** Deletes what an import has made until the time is over. */
export async function undoImport(
  runtime: JobRuntime,
  imported: RealmImport,
  from: UndoingProgress,
  time: TimeLimit,
): Promise<void> {
  let progress: ImportProgress = from
  do {
    const before: UndoingProgress = progress
    progress = await runtime.suspendableChange((tx) => {
      // Each change adds to the counts of those before it.
      const tally = new ImportTally(findReport(tx.sql, imported.id))
      const next = undoNext(tx, imported, before, tally)
      requireAdvance(tx.sql, imported.id, before, next)
      writeReport(tx.sql, imported.id, tally.report)
      return next
    })
    await runtime.pause()
  } while (progress.stage === 'undo' && !time.isOver)
}

function undoNext(
  tx: RealmTransaction,
  imported: RealmImport,
  from: UndoingProgress,
  tally: ImportTally,
): ImportProgress {
  const step = UNDO_IN_ORDER[from.step]!
  if ('prepare' in step) {
    const after = step.prepare(tx, imported, from.after)
    return after === undefined ? nextStep(from) : { ...from, after }
  }
  const { id, sourceId } = imported
  const { type, atOnce, undo } = step
  const page = listThingsOf(tx.sql, sourceId!, type, from.after, PAGE_OF_ROWS)
  const own = page.filter(({ importId }) => importId === id)
  const made = own.filter(({ isMade }) => isMade).slice(0, atOnce)
  const { taken, kept } = undo(tx, made, imported)
  const isAll = taken === own.filter(({ isMade }) => isMade).length
  // A large thing takes several changes, and counts with the last of them.
  if (!isAll && taken === 0) return from
  // By position on the page, since SQLite orders ids by UTF-8, unlike JavaScript.
  const done = isAll ? page : page.slice(0, page.indexOf(made[taken - 1]!) + 1)
  const last = done.at(-1)?.id
  deleteThings(
    tx.sql,
    sourceId!,
    type,
    done.filter(({ importId }) => importId === id).map((thing) => thing.id),
  )
  if (kept > 0) tally.count('written', `${type} in use, and kept`, kept)
  if (last !== undefined && !(isAll && page.length < PAGE_OF_ROWS)) return { ...from, after: last }
  return nextStep(from)
}

function nextStep(from: UndoingProgress): ImportProgress {
  if (from.step + 1 < UNDO_IN_ORDER.length) return { ...from, step: from.step + 1, after: '' }
  return { stage: 'tidy', outcome: 'undone' }
}
