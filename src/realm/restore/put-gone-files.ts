import { log } from '../../core/log.ts'
import type { FileLine } from '../../model/backups/backup-form.ts'
import { advanceRestore, type RestoreProgress } from '../../store/backups/restoration-rows.ts'
import { uploadKeyInCopy } from '../../store/uploads/upload-keys.ts'
import type { RestoreWork } from './restore-work.ts'

/** Puts uploads of the next chunk in the copy's own folder that are in the backup, and not in the organization's folder any more. */
export async function putGoneFiles(
  { sql, realm, reader, uploads }: RestoreWork,
  progress: Extract<RestoreProgress, { stage: 'gone-files' }>,
): Promise<void> {
  const name = reader.manifest.files[progress.chunk]
  if (name === undefined) return advanceRestore(sql, progress, { stage: 'limit' })
  const lines = await reader.lines<FileLine>(name)
  const gone = new Map(lines.filter(([key]) => uploadKeyInCopy(key, realm.id) !== key))
  const prefix = `user_uploads/${realm.copyOf!.realmId}/`
  const last = lines.at(-1)![0]
  // A list begins after a key.
  for (let at = lines[0]![0].slice(0, -1); gone.size > 0; ) {
    const { objects, truncated } = await uploads.list({ prefix, startAfter: at })
    for (const { key } of objects) gone.delete(key)
    at = objects.at(-1)?.key ?? at
    if (!truncated || at >= last) break
  }
  for (const [key, size] of gone) {
    const target = uploadKeyInCopy(key, realm.id)
    if (!(await uploads.head(target)) && !(await reader.putBack(uploads, [key, size], target)))
      log('warn', 'A file of a copy is missing in the backup', { organization: realm.host, key })
  }
  advanceRestore(sql, progress, { ...progress, chunk: progress.chunk + 1 })
}
