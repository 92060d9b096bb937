import { log } from '../../core/log.ts'
import { TimeLimit } from '../../core/within-time.ts'
import { CountedSql } from '../../engine/counted-sql.ts'
import { openBackup } from '../../features/backups/background/check-backup.ts'
import { makeBackup } from '../../features/backups/background/make-backup.ts'
import type { BackupReader } from '../../model/backups/backup-reader.ts'
import { DamagedBackupError } from '../../model/backups/chunk-store.ts'
import { findBackup } from '../../store/backups/backup-rows.ts'
import {
  advanceRestore,
  countRestoreTry,
  endRestore,
  findRestoreUnderWay,
  movedTo,
  type Restoration,
  type RestoreProgress,
  readRestoration,
  restoreInstead,
  writeRestoration,
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
/** Number of runs without progress after which a copy is given up, and a backup of which a part is missing: a store that fails is waited for. */
const MAX_TRIES = 8

type Replacing = Exclude<RestoreProgress, { stage: 'check' | 'archive' | 'stuck' | 'away' }>
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
 * object may die at any moment. Returns when to continue (UNIX seconds); undefined when the organization is open again, or nothing can go on.
 */
export async function restoreOrganization(parts: RestoreParts): Promise<number | undefined> {
  const { realm, now } = parts
  try {
    return await runSteps(parts)
  } catch (error) {
    const isOver = error instanceof DamagedBackupError && giveUpBackup(parts)
    const what = isOver ? 'A backup was given up' : 'A restore was interrupted, and continues later'
    log('error', what, { organization: realm.host, error })
    return now() + (isOver ? 0 : PAUSE_SECONDS)
  }
}

async function runSteps(parts: RestoreParts): Promise<number | undefined> {
  const { storage, now } = parts
  const time = new TimeLimit(RUN_SECONDS * 1_000)
  let reader: BackupReader | undefined
  const at = () => findRestoreUnderWay(new CountedSql(storage.sql))
  for (let restoration = at(); restoration; restoration = at()) {
    const { progress } = restoration
    if (progress.stage === 'stuck' || progress.stage === 'away') return undefined
    if (time.isOver) return now()
    if (isNew(parts) && restoration.tries >= MAX_TRIES) return giveUpCopy(parts)
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

/**
 * Gives up a backup of which a part is missing again and again, though all was there when it was checked. The organization stays, or is brought
 * back as it was by the backup that was made of it; if that has lost a part too, or the backup is of another server, nothing goes on. Returns whether it was given up.
 */
function giveUpBackup(parts: RestoreParts): boolean {
  const { storage, now, move } = parts
  const sql = new CountedSql(storage.sql)
  const restoration = findRestoreUnderWay(sql)
  if (!restoration || isNew(parts) || restoration.tries < MAX_TRIES) return false
  const { progress, isInstead, archiveId, archiveTakenAt } = restoration
  storage.transactionSync(() => {
    if (isInstead || move) advanceRestore(sql, progress, { stage: 'stuck' })
    else if (progress.stage === 'empty') endRestore(sql, 'damaged', now())
    else restoreInstead(sql, { id: archiveId!, takenAt: archiveTakenAt! })
  })
  return true
}

/** Whether nothing was in the object before, so that it may go again. */
function isNew({ realm, move }: RestoreParts): boolean {
  return realm.copyOf !== undefined || move?.isNew === true
}

/** Begins to delete what cannot be filled. */
function giveUpCopy({ storage, realm, now }: RestoreParts): number {
  log('error', 'An object cannot be filled with a backup', { organization: realm.host })
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
  const to = movedTo(sql)
  const archive = archiveId === null ? undefined : findBackup(sql, archiveId)
  if (archive && archive.finishedAt !== null) {
    parts.storage.transactionSync(() => {
      advanceRestore(sql, progress!, to === undefined ? { stage: 'empty' } : { stage: 'away', to })
      writeRestoration(sql, { ...readRestoration(sql)!, archiveTakenAt: archive.takenAt! })
    })
    return undefined
  }
  if (!archive || archive.failedAt !== null) {
    endRestore(sql, 'failed', parts.now())
    return undefined
  }
  return makeBackup(parts.runtime()).catch(() => parts.now() + 1)
}
