import { lineOf } from '../../../model/backups/backup-form.ts'
import type { BackupProgress } from '../../../store/backups/backup-rows.ts'
import { deleteBackupChunks } from '../../../store/backups/backup-rows.ts'
import { followChanges } from '../../../store/backups/changed-rows.ts'
import { type CopiedTable, copiedTables } from '../../../store/backups/copied-tables.ts'
import { eachRowAfter } from '../../../store/backups/table-rows.ts'
import type { Key } from '../../../store/key-pages.ts'
import type { BackupWork } from './backup-work.ts'

/** Limits of a chunk of rows. */
const CHUNK = { minRows: 1_000, maxRows: 4_000, characters: 1_000_000 } as const
/** One in so many keys ends a chunk, so that the chunks after an inserted row are those of the backup before. */
const ONE_IN = 1_000

/** Copies some rows of a table. From the first on, what changes is marked. */
export async function copyRows(
  work: BackupWork,
  progress: Extract<BackupProgress, { stage: 'rows' }>,
): Promise<void> {
  const { sql, storage } = work.runtime
  const tables = copiedTables(storage.sql)
  if (progress.table === 0 && progress.after === null) {
    deleteBackupChunks(sql)
    followChanges(storage.sql, tables)
  }
  const table = tables[progress.table]
  if (!table) return work.advance(progress, { stage: 'texts', after: 0 })
  const { lines, last } = nextLines(work, table, progress.after)
  const chunk = await work.store(table.table, lines)
  const next: BackupProgress = last
    ? { ...progress, after: last }
    : { stage: 'rows', table: progress.table + 1, after: null }
  work.advance(progress, next, [chunk])
}

/** Reads the rows of the next chunk. `last`: the key of the last of them; undefined if the table ends with them. */
function nextLines(
  { runtime }: BackupWork,
  table: CopiedTable,
  after: Key | null,
): { readonly lines: readonly string[]; readonly last: Key | undefined } {
  const lines: string[] = []
  let characters = 0
  for (const { key, values } of eachRowAfter(runtime.sql, table, after)) {
    const line = lineOf(values)
    lines.push(line)
    characters += line.length
    const isFull = lines.length === CHUNK.maxRows || characters >= CHUNK.characters
    if (isFull || (lines.length >= CHUNK.minRows && endsChunk(key))) return { lines, last: key }
  }
  return { lines, last: undefined }
}

/** Whether a chunk ends with this key, whatever chunk it is in: FNV-1a of the key. */
function endsChunk(key: Key): boolean {
  let hash = 0x811c9dc5
  for (const char of JSON.stringify(key)) hash = Math.imul(hash ^ char.codePointAt(0)!, 0x01000193)
  return (hash >>> 0) % ONE_IN === 0
}
