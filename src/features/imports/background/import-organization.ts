import { ENTRIES_AT_ONCE, PAUSES } from '../../../core/budgets.ts'
import { lacksRoom } from '../../../core/errors.ts'
import type { JobRuntime, NextTime } from '../../../core/job-runtime.ts'
import { DAY } from '../../../core/time.ts'
import { TimeLimit } from '../../../core/within-time.ts'
import { ImportRefusedError } from '../../../imports/import-reader.ts'
import { renewChannelStatistics } from '../../../model/channels/activity/channel-statistics.ts'
import { isBeingImported } from '../../../model/imports/import-upload.ts'
import { importPrefix, isByOwner } from '../../../model/imports/import-work.ts'
import { endQueues } from '../../../model/users/login/sessions.ts'
import { deleteSomeChoices } from '../../../store/imports/import-choice-rows.ts'
import { deleteSomePieces } from '../../../store/imports/import-piece-rows.ts'
import {
  advanceImport,
  countTry,
  endImport,
  findImport,
  findUnfinishedImport,
  ImportMovedError,
  type ImportProgress,
  type RealmImport,
  requireAdvance,
  setPaused,
  type TidyingProgress,
  uncountTry,
  writeFailure,
} from '../../../store/imports/import-rows.ts'
import {
  changeExpiry,
  deleteImportUpload,
  findImportUpload,
  type ImportUpload,
} from '../../../store/imports/import-upload-rows.ts'
import { uploadDirectory, uploadKey } from '../../../store/uploads/upload-keys.ts'
import { listeningUserIds } from '../../../store/users/account-set-rows.ts'
import { copyFiles } from './copy-files.ts'
import { forgetRuns } from './merge-runs.ts'
import { readArchive, recogniseArchive } from './read-archive.ts'
import { MissingArchiveError } from './stored-archive.ts'
import { checkUndo, undoImport } from './undo-import.ts'
import { unpackArchive } from './unpack-archive.ts'
import { writeMessages, writeThings } from './write-import.ts'

/** Seconds after which a run begins no further step, since other due work waits. */
const RUN_SECONDS = 1.5
/** Number of runs without progress after which an import has failed. */
const MAX_TRIES = 8

/** Stages that write in the name of the owner who imports, and pause where that user is none any more. */
const WRITING: ReadonlySet<ImportProgress['stage']> = new Set(['things', 'files', 'messages'])

const atWork = new WeakSet<JobRuntime>()

/**
 * Continues the import under way, unless it waits for an owner. Each step commits its progress, so the object may die at any moment. No other run
 * begins while this one waits.
 */
export async function importOrganization(runtime: JobRuntime): Promise<NextTime> {
  if (!isDue(runtime)) return undefined
  if (atWork.has(runtime)) return runtime.now() + RUN_SECONDS
  atWork.add(runtime)
  try {
    await work(runtime)
  } finally {
    atWork.delete(runtime)
  }
  return isDue(runtime) ? runtime.now() : undefined
}

function isDue({ sql }: JobRuntime): boolean {
  const imported = findUnfinishedImport(sql)
  return imported !== undefined && !imported.isPaused && imported.progress!.stage !== 'wait'
}

async function work(runtime: JobRuntime): Promise<void> {
  const time = new TimeLimit(RUN_SECONDS * 1_000)
  const { id, tries } = findUnfinishedImport(runtime.sql)!
  countTry(runtime.sql, id)
  do {
    const imported = findImport(runtime.sql, id)!
    const { progress } = imported
    if (!progress) return
    if (WRITING.has(progress.stage) && !isByOwner(runtime, imported)) {
      setPaused(runtime.sql, id, true)
      uncountTry(runtime.sql, id)
      return
    }
    try {
      if (tries >= MAX_TRIES && progress.stage !== 'tidy') {
        throw new ImportRefusedError(
          `It has stopped ${MAX_TRIES} times at the same place (${progress.stage})`,
        )
      }
      await goOn(runtime, imported, progress, time)
    } catch (error) {
      if (error instanceof ImportMovedError) return
      if (lacksRoom(error)) uncountTry(runtime.sql, id)
      if (!(error instanceof ImportRefusedError || error instanceof MissingArchiveError)) throw error
      fail(
        runtime,
        imported,
        progress,
        error instanceof ImportRefusedError ? error.message : 'The uploaded file is gone',
      )
    }
    await runtime.storage.sync()
    runtime.reached('importing')
  } while (!time.isOver && isDue(runtime))
}

/** Makes one step of an import. */
async function goOn(
  runtime: JobRuntime,
  imported: RealmImport,
  progress: ImportProgress,
  time: TimeLimit,
): Promise<void> {
  switch (progress.stage) {
    case 'unpack':
      await unpackArchive(runtime, imported, progress, time)
      return
    case 'recognise':
      await recogniseArchive(runtime, imported, progress)
      return
    case 'read':
      await readArchive(runtime, imported, progress, time)
      return
    case 'wait':
      return
    case 'things':
      await writeThings(runtime, imported, progress, time)
      return
    case 'files':
      await copyFiles(runtime, imported, progress, time)
      return
    case 'messages':
      await writeMessages(runtime, imported, progress, time)
      return
    case 'tidy':
      await tidy(runtime, imported, progress)
      return
    case 'check':
      await checkUndo(runtime, imported, progress, time)
      return
    case 'undo':
      await undoImport(runtime, imported, progress, time)
  }
}

function fail(
  { sql, storage }: JobRuntime,
  { id }: RealmImport,
  from: ImportProgress,
  failure: string,
): void {
  storage.transactionSync(() => {
    if (advanceImport(sql, id, from, { stage: 'tidy', outcome: 'failed' })) writeFailure(sql, id, failure)
  })
}

/** Deletes what was read. An import makes no events: if it has written anything, all clients that are online register again. */
async function tidy(runtime: JobRuntime, imported: RealmImport, progress: TidyingProgress): Promise<void> {
  const { uploads, realm, sql, storage } = runtime
  const { id } = imported
  forgetRuns(runtime)
  for (;;) {
    const { objects, truncated } = await uploads.list({ prefix: importPrefix(realm.id, imported) })
    if (objects.length > 0) await uploads.delete(objects.map(({ key }) => key))
    if (!truncated) break
  }
  const deleteSome = () =>
    deleteSomePieces(sql, id, ENTRIES_AT_ONCE) || deleteSomeChoices(sql, id, ENTRIES_AT_ONCE)
  while (storage.transactionSync(deleteSome)) await runtime.pause(PAUSES.commit)
  await runtime.suspendableChange((tx) => {
    requireAdvance(tx.sql, id, progress, null)
    endImport(tx.sql, id, progress.outcome, tx.now)
    if (imported.report.written.length === 0) return
    const dueAt = renewChannelStatistics(tx)
    if (dueAt !== undefined) tx.schedule({ kind: 'channel-statistics', key: '', dueAt })
    endQueues(tx, listeningUserIds(tx.sql))
  })
}

/** Deletes an expired archive, unless an import reads it. The upload's row goes last, so that this can be repeated. */
export async function expireImportUpload(runtime: JobRuntime, id: string): Promise<NextTime> {
  const { sql, uploads, realm, now } = runtime
  const upload = findImportUpload(sql, id)
  if (!upload) return undefined
  if (upload.expiresAt > now()) return upload.expiresAt
  if (isBeingImported(runtime, upload)) {
    const later = Math.floor(now()) + DAY
    changeExpiry(sql, id, later)
    return later
  }
  const key = uploadKey(uploadDirectory(realm.id, id))
  await abortParts(runtime, key, upload)
  await uploads.delete(key)
  deleteImportUpload(sql, id)
  return undefined
}

/** The code of R2's error for an unknown upload. */
const NO_SUCH_UPLOAD = '10024'

async function abortParts(
  { uploads }: Pick<JobRuntime, 'uploads'>,
  key: string,
  { multipartId, isComplete }: ImportUpload,
): Promise<void> {
  // R2 may have joined the parts without an answer.
  if (multipartId === null || isComplete || (await uploads.head(key))) return
  try {
    await uploads.resumeMultipartUpload(key, multipartId).abort()
  } catch (error) {
    if (!String(error).includes(NO_SUCH_UPLOAD)) throw error
  }
}
