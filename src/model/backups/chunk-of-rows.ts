import type { Sql } from '../../core/sql.ts'
import type { CopiedTable } from '../../store/backups/copied-tables.ts'
import { eachRowAfter } from '../../store/backups/table-rows.ts'
import type { Key } from '../../store/key-pages.ts'
import { lineOf } from './backup-form.ts'

/** Limits of a chunk of rows. */
const CHUNK = { minRows: 1_000, maxRows: 4_000, characters: 1_000_000 } as const
/** One in so many keys ends a chunk, so that the chunks after an inserted row are those of the backup before. */
const ONE_IN = 1_000

/** Reads the rows of the next chunk. `last`: the key of the last of them; undefined if the table ends with them. */
export function nextRows(
  sql: Sql,
  table: CopiedTable,
  after: Key | null,
): { readonly lines: readonly string[]; readonly last: Key | undefined } {
  const lines: string[] = []
  let characters = 0
  for (const { key, values } of eachRowAfter(sql, table, after)) {
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
