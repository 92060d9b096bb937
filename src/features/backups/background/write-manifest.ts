import { assert } from '../../../core/errors.ts'
import { type Manifest, manifestKey } from '../../../model/backups/backup-form.ts'
import { compressed } from '../../../model/backups/chunk-store.ts'
import {
  type BackupProgress,
  countStored,
  deleteBackupChunks,
  listBackupChunks,
  markBackupFinished,
} from '../../../store/backups/backup-rows.ts'
import { copiedTables } from '../../../store/backups/copied-tables.ts'
import type { BackupWork } from './backup-work.ts'

function takenIn({ backup }: BackupWork) {
  const { takenAt, contents } = backup ?? {}
  assert(typeof takenAt === 'number' && contents, 'a backup without its moment')
  return { takenAt, contents }
}

/** Writes the list of what the backup consists of: only with it there is a backup. */
export async function writeManifest(
  work: BackupWork,
  progress: Extract<BackupProgress, { stage: 'manifest' }>,
): Promise<void> {
  const { sql, storage, realm, schema, now } = work.runtime
  const { takenAt, contents } = takenIn(work)
  const chunks = listBackupChunks(sql)
  const of = (part: string) => chunks.filter((chunk) => chunk.part === part).map(({ name }) => name)
  const manifest: Manifest = {
    form: 1,
    id: work.id,
    organization: { realmId: realm.id, host: realm.host },
    takenAt,
    schema,
    contents,
    tables: copiedTables(storage.sql).map(({ table, columns }) => ({
      name: table,
      columns,
      chunks: of(table),
    })),
    changes: of('changes'),
    texts: of('texts'),
    files: of('files'),
  }
  const bytes = new TextEncoder().encode(JSON.stringify(manifest))
  const digest = Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex')
  const sealed = await work.sealer.seal(await compressed(bytes))
  for (const store of work.stores) {
    await store.put(manifestKey(realm.id, { id: work.id, takenAt }), sealed, sealed.length)
  }
  work.advance(progress, { stage: 'prune', part: null }, [], () => {
    deleteBackupChunks(sql)
    countStored(sql, work.id, sealed.length, sealed.length)
    markBackupFinished(sql, work.id, now(), digest)
  })
}
