import { log } from '../../core/log.ts'
import { type FileLine, foldersOfFiles } from '../../model/backups/backup-form.ts'
import { DamagedBackupError } from '../../model/backups/chunk-store.ts'
import {
  advanceRestore,
  type RestoreProgress,
  readRestoration,
} from '../../store/backups/restoration-rows.ts'
import type { RestoreWork } from './restore-work.ts'

/** Files of one list of R2. */
const FILES_AT_ONCE = 500

/**
 * Puts the files of the next chunk back that R2 does not have, and removes those between them that are in no backup: files never change. After
 * the last chunk of a folder, all that follow go.
 */
export async function copyFilesBack(
  work: RestoreWork,
  progress: Extract<RestoreProgress, { stage: 'files' }>,
): Promise<void> {
  const { sql, realm, reader, uploads } = work
  const folder = [...foldersOfFiles(realm.id), ...foldersOfArchives(realm.id)][progress.folder]
  if (folder === undefined) return advanceRestore(sql, progress, { stage: 'open' })
  const { chunk, after } = progress
  const name = reader.manifest.files[chunk]
  const lines = name === undefined ? [] : await reader.lines<FileLine>(name)
  const isOfFolder = lines[0]?.[0].startsWith(folder)
  const wanted = new Map(isOfFolder ? lines : [])
  const upTo = isOfFolder ? lines.at(-1)![0] : undefined
  for (let at = after; ; ) {
    const listed = await uploads.list({
      prefix: folder,
      limit: FILES_AT_ONCE,
      ...(at && { startAfter: at }),
    })
    const keys = listed.objects.map(({ key }) => key).filter((key) => upTo === undefined || key <= upTo)
    const others = keys.filter((key) => !wanted.delete(key))
    if (others.length > 0) await uploads.delete(others)
    at = keys.at(-1) ?? at
    if (!listed.truncated || keys.length < listed.objects.length || at === upTo) break
  }
  for (const file of wanted) {
    if (await reader.putBack(uploads, file)) continue
    // The organization is rather without a file than closed.
    if (!readRestoration(sql)!.isInstead) throw new DamagedBackupError(`${file[0]} is missing`)
    log('error', 'A file is missing in the backup', { organization: realm.host, key: file[0] })
  }
  advanceRestore(
    sql,
    progress,
    isOfFolder
      ? { ...progress, chunk: chunk + 1, after: upTo! }
      : { stage: 'files', folder: progress.folder + 1, chunk, after: '' },
  )
}

/** Folders of archives, whose lists are in no backup. */
function foldersOfArchives(realmId: number): readonly string[] {
  return [`exports/${realmId}/`, `imports/${realmId}/`]
}
