import type { JobRuntime, NextTime } from '../../../core/job-runtime.ts'
import { log } from '../../../core/log.ts'
import { TimeLimit } from '../../../core/within-time.ts'
import { type FileLine, type Manifest, manifestKey } from '../../../model/backups/backup-form.ts'
import { BackupReader } from '../../../model/backups/backup-reader.ts'
import { KEPT_AFTER_RESTORE } from '../../../model/backups/begin-restore.ts'
import { DamagedBackupError } from '../../../model/backups/chunk-store.ts'
import { FIRST_STAGE, insertBackup } from '../../../store/backups/backup-rows.ts'
import {
  advanceRestore,
  countRestoreTry,
  endRestore,
  findRestoreUnderWay,
  type Restoration,
  type RestoreOutcome,
  readRestoration,
  writeRestoration,
} from '../../../store/backups/restoration-rows.ts'

/** Seconds after which a run starts nothing new, since other due work waits. */
const RUN_SECONDS = 1.5
/** Number of runs without progress after which a backup counts as one that cannot be read. */
const MAX_TRIES = 8

/** Opens the backup of a restore. @throws DamagedBackupError if it is missing, or was sealed with another key */
export function openBackup(
  { backups, realm }: Pick<JobRuntime, 'backups' | 'realm'>,
  { backupId, takenAt }: Restoration,
): Promise<BackupReader> {
  const key = manifestKey(realm.copyOf?.realmId ?? realm.id, { id: backupId, takenAt })
  return backups.sealer().then((sealer) => BackupReader.open(backups.stores, sealer, key))
}

/**
 * Reads all of a backup that is to replace the organization, which goes on meanwhile: what is missing or damaged is found before anything is
 * touched. At its end the backup of what is there begins, and the organization is closed.
 */
export async function checkBackup(runtime: JobRuntime): Promise<NextTime> {
  const { sql, storage } = runtime
  const restoration = findRestoreUnderWay(sql)
  if (restoration?.progress.stage !== 'check') return undefined
  if (restoration.tries >= MAX_TRIES) return giveUp(runtime, 'failed', 'no run makes progress')
  countRestoreTry(sql)
  try {
    const reader = await openBackup(runtime, restoration)
    const parts = partsOf(reader.manifest)
    if (reader.manifest.schema > runtime.schema) throw new DamagedBackupError('made by a newer Parley')
    const time = new TimeLimit(RUN_SECONDS * 1_000)
    for (let { part } = restoration.progress; part < parts.length; part += 1) {
      if (time.isOver) return runtime.now()
      await checkPart(reader, parts[part]!)
      advanceRestore(sql, { stage: 'check', part }, { stage: 'check', part: part + 1 })
      await storage.sync()
      runtime.reached('restoring')
    }
    storage.transactionSync(() => beginArchive(runtime, parts.length))
    return undefined
  } catch (error) {
    if (error instanceof DamagedBackupError) return giveUp(runtime, 'damaged', error.message)
    throw error
  }
}

interface Part {
  readonly name: string
  readonly isOfFiles: boolean
}

function partsOf({ tables, changes, texts, files }: Manifest): readonly Part[] {
  const named = (names: readonly string[], isOfFiles = false) => names.map((name) => ({ name, isOfFiles }))
  return [
    ...tables.flatMap(({ chunks }) => named(chunks)),
    ...named(changes),
    ...named(texts),
    ...named(files, true),
  ]
}

/** Reads a chunk, and looks for the files that it lists. */
async function checkPart(reader: BackupReader, { name, isOfFiles }: Part): Promise<void> {
  if (!isOfFiles) {
    await reader.lines(name)
    return
  }
  const files = await reader.lines<FileLine>(name)
  const [missing] = await reader.missingFiles(files.map(([key]) => key))
  if (missing !== undefined) throw new DamagedBackupError(`The file ${missing} is missing`)
}

/** Begins the backup of what is there. */
function beginArchive({ sql, now }: JobRuntime, part: number): void {
  advanceRestore(sql, { stage: 'check', part }, { stage: 'archive' })
  const restoration = readRestoration(sql)!
  const begun = { askedBy: restoration.askedBy, beganAt: now(), progress: FIRST_STAGE }
  const archiveId = insertBackup(sql, { ...begun, keptUntil: now() + KEPT_AFTER_RESTORE })
  writeRestoration(sql, { ...restoration, archiveId })
}

function giveUp({ sql, realm, now }: JobRuntime, outcome: RestoreOutcome, reason: string): undefined {
  log('error', 'A backup cannot be restored', { organization: realm.host, outcome, reason })
  endRestore(sql, outcome, now())
}
