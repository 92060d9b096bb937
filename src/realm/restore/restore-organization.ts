import { log } from '../../core/log.ts'
import { TimeLimit } from '../../core/within-time.ts'
import { CountedSql } from '../../engine/counted-sql.ts'
import { openBackup } from '../../features/backups/background/check-backup.ts'
import { makeBackup } from '../../features/backups/background/make-backup.ts'
import type { BackupReader } from '../../model/backups/backup-reader.ts'
import { findBackup } from '../../store/backups/backup-rows.ts'
import {
  advanceRestore,
  countRestoreTry,
  endRestore,
  findRestoreUnderWay,
  type Restoration,
  type RestoreProgress,
} from '../../store/backups/restoration-rows.ts'
import { writeMeta } from '../../store/meta-rows.ts'
import { copyFilesBack } from './copy-files-back.ts'
import { limitToToday, takeOutMoved } from './finish-copy.ts'
import { putGoneFiles } from './put-gone-files.ts'
import { emptyObject, fillChunk, openAgain, upgradeRows } from './replace-rows.ts'
import { replaceTexts } from './replace-texts.ts'
import type { RestoreParts, RestoreWork } from './restore-work.ts'

/** Seconds of one run, after which the alarm goes off again. */
const RUN_SECONDS = 20
/** Seconds after which a run that has failed is repeated. */
const PAUSE_SECONDS = 60
/** Number of runs without progress after which a copy is given up: an organization that is being replaced is not. */
const MAX_COPY_TRIES = 8

type Replacing = Exclude<RestoreProgress, { stage: 'check' | 'archive' }>
type Stage = Replacing['stage']

/** Each makes one step in a few commits at most, the last of which stores the next progress; undefined when the restore is over. */
const STEPS: {
  readonly [Name in Stage]: (
    work: RestoreWork,
    progress: Extract<Replacing, { stage: Name }>,
  ) => Promise<void> | void
} = {
  empty: emptyObject,
  rows: fillChunk,
  changes: fillChunk,
  upgrade: upgradeRows,
  texts: replaceTexts,
  'other-texts': replaceTexts,
  files: copyFilesBack,
  'gone-files': putGoneFiles,
  limit: limitToToday,
  'take-out': takeOutMoved,
  open: openAgain,
}

/**
 * Continues the restore of a backup in place of an organization that is closed meanwhile. Each chunk is one commit with the progress, so the
 * object may die at any moment. Returns when to continue (UNIX seconds); undefined when the organization is open again.
 */
export async function restoreOrganization(parts: RestoreParts): Promise<number | undefined> {
  const { realm, now } = parts
  try {
    return await runSteps(parts)
  } catch (error) {
    log('error', 'A restore was interrupted, and continues later', { organization: realm.host, error })
    return now() + PAUSE_SECONDS
  }
}

async function runSteps(parts: RestoreParts): Promise<number | undefined> {
  const { storage, now } = parts
  const time = new TimeLimit(RUN_SECONDS * 1_000)
  let reader: BackupReader | undefined
  const at = () => findRestoreUnderWay(new CountedSql(storage.sql))
  for (let restoration = at(); restoration; restoration = at()) {
    const { progress } = restoration
    if (time.isOver) return now()
    if (parts.realm.copyOf && restoration.tries >= MAX_COPY_TRIES) return giveUpCopy(parts)
    if (progress.stage === 'archive') {
      const next = await makeArchive(parts, restoration)
      if (next !== undefined) return next
    } else if (progress.stage !== 'check') {
      countRestoreTry(new CountedSql(storage.sql))
      reader ??= await openBackup(parts, restoration)
      await step({ ...parts, reader, sql: new CountedSql(storage.sql) }, progress)
    }
    await storage.sync()
    parts.reached('restoring')
  }
  return undefined
}

/** Begins to delete a copy that cannot be filled. */
function giveUpCopy({ storage, realm, now }: RestoreParts): number {
  log('error', 'A copy of a backup cannot be filled', { organization: realm.host })
  writeMeta(new CountedSql(storage.sql), 'deletion_begun', Math.floor(now()))
  return now()
}

function step<Name extends Stage>(
  work: RestoreWork,
  progress: Extract<Replacing, { stage: Name }>,
): Promise<void> | void {
  return STEPS[progress.stage as Name](work, progress)
}

/**
 * Makes a backup of what is there, so that nothing is lost: without it nothing is replaced. Returns when to continue with it; undefined
 * once it is stored, or has failed and the organization is open again.
 */
async function makeArchive(
  parts: RestoreParts,
  { archiveId, progress }: Restoration,
): Promise<number | undefined> {
  const sql = new CountedSql(parts.storage.sql)
  const archive = archiveId === null ? undefined : findBackup(sql, archiveId)
  if (archive && archive.finishedAt !== null) {
    advanceRestore(sql, progress!, { stage: 'empty' })
    return undefined
  }
  if (!archive || archive.failedAt !== null) {
    endRestore(sql, 'failed', parts.now())
    return undefined
  }
  return makeBackup(parts.runtime()).catch(() => parts.now() + 1)
}
