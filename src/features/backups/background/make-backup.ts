import type { JobRuntime, NextTime } from '../../../core/job-runtime.ts'
import { log } from '../../../core/log.ts'
import { TimeLimit } from '../../../core/within-time.ts'
import {
  advanceBackup,
  type Backup,
  type BackupProgress,
  countBackupTry,
  deleteBackupChunks,
  findUnfinishedBackup,
  markBackupFailed,
} from '../../../store/backups/backup-rows.ts'
import { unfollowChanges } from '../../../store/backups/changed-rows.ts'
import { BackupWork } from './backup-work.ts'
import { copyChanges } from './copy-changes.ts'
import { copyFiles } from './copy-files.ts'
import { copyRows } from './copy-rows.ts'
import { copyTexts } from './copy-texts.ts'
import { pruneBackups } from './prune-backups.ts'
import { writeManifest } from './write-manifest.ts'

/** Seconds after which a run starts nothing new, since other due work waits. */
const RUN_SECONDS = 1.5
/** Number of runs without progress after which a backup has failed. */
const MAX_TRIES = 8

type Stage = BackupProgress['stage']

/** Each makes one step, and stores the progress with what it has copied. */
const STEPS: {
  readonly [Name in Stage]: (
    work: BackupWork,
    progress: Extract<BackupProgress, { stage: Name }>,
    time: TimeLimit,
  ) => Promise<void>
} = {
  rows: copyRows,
  texts: copyTexts,
  changes: copyChanges,
  files: copyFiles,
  manifest: writeManifest,
  prune: pruneBackups,
}

const atWork = new WeakSet<JobRuntime>()

/**
 * Continues the unfinished backup. Progress is stored after every chunk, so the object may die at any moment, and runs never overlap. The
 * organization goes on meanwhile: what changes is copied again (`copyChanges`).
 */
export async function makeBackup(runtime: JobRuntime): Promise<NextTime> {
  const backup = findUnfinishedBackup(runtime.sql)
  if (!backup) return undefined
  if (atWork.has(runtime)) return runtime.now() + RUN_SECONDS
  if (backup.tries >= MAX_TRIES || runtime.backups.stores.length === 0) return giveUp(runtime, backup)
  atWork.add(runtime)
  try {
    countBackupTry(runtime.sql, backup.id)
    const work = await BackupWork.of(runtime, backup.id)
    const time = new TimeLimit(RUN_SECONDS * 1_000)
    do {
      const { progress } = work
      if (!progress) return undefined
      await step(work, progress, time)
      await runtime.storage.sync()
      runtime.reached('exporting')
    } while (!time.isOver)
    return runtime.now()
  } finally {
    atWork.delete(runtime)
  }
}

function step<Name extends Stage>(
  work: BackupWork,
  progress: Extract<BackupProgress, { stage: Name }>,
  time: TimeLimit,
): Promise<void> {
  return STEPS[progress.stage as Name](work, progress, time)
}

/** Gives a backup up; one that is made stays, and the next one removes what is no longer kept. */
function giveUp({ sql, storage, realm, now }: JobRuntime, { id, progress }: Backup): undefined {
  log('error', 'A backup has failed', { organization: realm.host, backup: id, stage: progress?.stage })
  storage.transactionSync(() => {
    unfollowChanges(storage.sql)
    deleteBackupChunks(sql)
    if (progress?.stage === 'prune') advanceBackup(sql, { id, progress }, null)
    else markBackupFailed(sql, id, now())
  })
}
