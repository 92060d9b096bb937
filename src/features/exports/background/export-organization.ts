import type { JobRuntime, NextTime } from '../../../core/job-runtime.ts'
import { TimeLimit } from '../../../core/within-time.ts'
import { announceExports } from '../../../model/exports/finished-exports.ts'
import { keepForATime } from '../../../model/retention/retention.ts'
import { deleteChunks, deleteGone } from '../../../store/exports/collecting-rows.ts'
import {
  advanceExport,
  archiveKey,
  countTry,
  type ExportProgress,
  exportPrefix,
  findUnfinishedExport,
  markFailed,
  markFinished,
  type RealmExport,
  type TidyingProgress,
  uncountTry,
} from '../../../store/exports/export-rows.ts'
import { abandonUpload, assembleArchive } from './assemble-archive.ts'
import { CHUNKS_FOLDER } from './chunk-writer.ts'
import { collectExport } from './collect-export.ts'

/** Seconds after which a run starts nothing new, since other due work waits. */
const RUN_SECONDS = 1.5
/** Number of runs without progress, since the object died, after which an export has failed. */
const MAX_TRIES = 8
/** Seconds from its start for which an export waits for failing stores. Failed runs count only after that. */
const WAITS_FOR_STORES_SECONDS = 3 * 86_400

/**
 * Continues the oldest unfinished export. Progress is stored after every chunk, so the object may die at any moment. Runs never overlap.
 */
export async function exportOrganization(runtime: JobRuntime): Promise<NextTime> {
  const exported = findUnfinishedExport(runtime.sql)
  if (!exported) return undefined
  if (atWork.has(runtime)) return runtime.now() + RUN_SECONDS
  atWork.add(runtime)
  try {
    await work(runtime, exported)
  } catch (error) {
    if (runtime.now() < exported.startedAt + WAITS_FOR_STORES_SECONDS) uncountTry(runtime.sql, exported.id)
    throw error
  } finally {
    atWork.delete(runtime)
  }
  return findUnfinishedExport(runtime.sql) ? runtime.now() : undefined
}

const atWork = new WeakSet<JobRuntime>()

async function work(runtime: JobRuntime, exported: RealmExport): Promise<void> {
  let progress: ExportProgress | null = exported.progress!
  if (progress.stage !== 'tidy') {
    if (exported.tries >= MAX_TRIES) progress = giveUp(runtime, exported)
    else countTry(runtime.sql, exported.id)
  }
  const time = new TimeLimit(RUN_SECONDS * 1_000)
  do {
    progress = await goOn(runtime, exported, progress, time)
    await runtime.storage.sync()
    runtime.reached('exporting')
  } while (progress && !time.isOver)
}

/** Makes one step of an export; null when nothing is left to do. */
async function goOn(
  runtime: JobRuntime,
  exported: RealmExport,
  progress: ExportProgress,
  time: TimeLimit,
): Promise<ExportProgress | null> {
  switch (progress.stage) {
    case 'collect':
      return collectExport(runtime, exported, progress, time)
    case 'assemble':
      return assembleArchive(runtime, exported, progress, time)
    case 'tidy':
      await tidy(runtime, exported, progress)
      return null
  }
}

function giveUp(runtime: JobRuntime, exported: RealmExport): TidyingProgress {
  const { progress } = exported
  const uploadId = progress?.stage === 'assemble' ? progress.uploadId : null
  const tidying: TidyingProgress = { stage: 'tidy', length: null, uploadId }
  runtime.change((tx) => {
    advanceExport(tx.sql, exported.id, progress!, tidying)
    markFailed(tx.sql, exported.id, tx.now)
    announceExports(tx)
  })
  return tidying
}

/** Deletes the parts of the archive; then administrators can get it. */
async function tidy(runtime: JobRuntime, exported: RealmExport, progress: TidyingProgress): Promise<void> {
  const { uploads, realm } = runtime
  const prefix = exportPrefix(realm.id, exported)
  if (progress.uploadId !== null) {
    await abandonUpload(runtime, archiveKey(realm.id, exported), progress.uploadId)
  }
  for (;;) {
    const { objects, truncated } = await uploads.list({
      prefix: progress.length === null ? prefix : `${prefix}${CHUNKS_FOLDER}`,
    })
    if (objects.length > 0) await uploads.delete(objects.map(({ key }) => key))
    if (!truncated) break
  }
  runtime.change((tx) => {
    deleteChunks(tx.sql, exported.id)
    deleteGone(tx.sql, exported.id)
    if (!advanceExport(tx.sql, exported.id, progress, null)) return
    if (progress.length === null) return
    markFinished(tx.sql, exported.id, tx.now, progress.length)
    keepForATime(tx)
    announceExports(tx)
  })
}
