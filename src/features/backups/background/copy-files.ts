import type { BackupStore } from '../../../core/backup-store.ts'
import { sealedSize } from '../../../core/sealed-backup.ts'
import type { TimeLimit } from '../../../core/within-time.ts'
import { fileKey, foldersOfFiles, lineOf } from '../../../model/backups/backup-form.ts'
import { beginFiles, endFiles, isSealedAlike } from '../../../model/backups/sealing-key.ts'
import { type BackupProgress, countFiles, countStored } from '../../../store/backups/backup-rows.ts'
import type { BackupWork } from './backup-work.ts'

/** Files of one step. */
const FILES_AT_ONCE = 500

/**
 * Copies the files that a store does not have yet; they never change. They are read after the moment of the backup, so one that was deleted
 * in between is not in it.
 */
export async function copyFiles(
  work: BackupWork,
  progress: Extract<BackupProgress, { stage: 'files' }>,
  time: TimeLimit,
): Promise<void> {
  const { runtime, stores } = work
  const { mark } = work.sealer
  const folder = foldersOfFiles(runtime.realm.id)[progress.folder]
  if (folder === undefined)
    return work.advance(progress, { stage: 'manifest' }, [], () => endFiles(runtime.sql, mark))
  const { after } = progress
  if (progress.folder === 0 && after === '') runtime.change((tx) => beginFiles(tx, mark))
  const listed = await runtime.uploads.list({
    prefix: folder,
    limit: FILES_AT_ONCE,
    ...(after && { startAfter: after }),
  })
  const upTo = listed.objects.at(-1)?.key
  const known =
    upTo === undefined || !isSealedAlike(runtime.sql, mark)
      ? stores.map(() => new Set<string>())
      : await Promise.all(stores.map((store) => keysBetween(store, folder, after, upTo)))
  const lines: string[] = []
  const stored = { size: 0, sent: 0, bytes: 0 }
  let last = after
  for (const { key, size } of listed.objects) {
    if (time.isOver && lines.length > 0) break
    const missing = stores.filter((_, at) => !known[at]!.has(fileKey(key)))
    if (missing.length === 0 || (await copyFile(work, key, size, missing))) {
      lines.push(lineOf([key, size]))
      stored.bytes += size
      stored.size += sealedSize(size)
      if (missing.length > 0) stored.sent += sealedSize(size)
    }
    last = key
  }
  const isOver = !listed.truncated && last === (upTo ?? after)
  work.advance(
    progress,
    isOver ? { stage: 'files', folder: progress.folder + 1, after: '' } : { ...progress, after: last },
    [await work.store('files', lines)],
    () => {
      countStored(runtime.sql, work.id, stored.size, stored.sent)
      countFiles(runtime.sql, work.id, lines.length, stored.bytes)
    },
  )
}

async function keysBetween(
  store: BackupStore,
  folder: string,
  after: string,
  upTo: string,
): Promise<ReadonlySet<string>> {
  const keys = new Set<string>()
  for (let at = after && fileKey(after); ; ) {
    const { found, hasMore } = await store.list(fileKey(folder), at)
    for (const { key } of found) keys.add(key)
    at = found.at(-1)?.key ?? ''
    if (!hasMore || at >= fileKey(upTo)) return keys
  }
}

/** False if the file is gone. */
async function copyFile(
  { runtime, chunks }: BackupWork,
  key: string,
  size: number,
  missing: readonly BackupStore[],
): Promise<boolean> {
  for (const store of missing) {
    const file = await runtime.uploads.get(key)
    if (!file) return false
    await chunks.putFile(store, fileKey(key), file.body, size)
  }
  return true
}
