import type { D1Write } from '../core/realm-transaction.ts'
import { SEARCH_STATEMENTS, searchWriteOf } from './message-search.ts'

/** Rows go to D1 in JSON arrays, so that a statement has two parameters however many rows it writes. */
const ROWS_PER_STATEMENT = 500
/** In UTF-16 units, each up to 3 bytes: a parameter may have 2,000,000 bytes. */
const JSON_LENGTH_PER_STATEMENT = 600_000

/**
 * Every write that a change can ask of D1, by name. `?1` is the realm, `?2` a JSON array of rows; the
 * values of a row are `value->>0`, `value->>1`, …
 *
 * They are applied in order, each batch exactly once (see `applyBatch`), so they need not be idempotent.
 */
const STATEMENTS: Record<string, string> = {
  ...SEARCH_STATEMENTS,
  'insert-message-body': `
    INSERT INTO message_body (realm_id, message_id, version, content, rendered_content, rendering_version)
    SELECT ?1, value->>0, 0, value->>1, value->>2, value->>3 FROM json_each(?2)`,
  // Found by its key: joined to the rows, SQLite would read every message of the realm. Of several edits of
  // one message in a batch the last counts.
  'replace-message-body': `
    UPDATE message_body SET (version, content, rendered_content, rendering_version, edit_history) = (
      SELECT value->>1, value->>2, value->>3, value->>4, value->>5 FROM json_each(?2)
      WHERE value->>0 = message_id ORDER BY key DESC LIMIT 1
    ) WHERE realm_id = ?1 AND message_id IN (SELECT value->>0 FROM json_each(?2))`,
  // Source and search entry stay. The row has all of the body for those who read it in the log.
  'replace-rendering': `
    UPDATE message_body SET (rendered_content, rendering_version) = (
      SELECT value->>3, value->>4 FROM json_each(?2) WHERE value->>0 = message_id ORDER BY key DESC LIMIT 1
    ) WHERE realm_id = ?1 AND message_id IN (SELECT value->>0 FROM json_each(?2))`,
  'delete-message-body': `
    DELETE FROM message_body WHERE realm_id = ?1 AND message_id IN (SELECT value->>0 FROM json_each(?2))`,
  'insert-api-key-digest': `
    INSERT OR REPLACE INTO api_key_digest (digest, realm_id) SELECT value->>0, ?1 FROM json_each(?2) WHERE true`,
  'delete-api-key-digest': `
    DELETE FROM api_key_digest WHERE realm_id = ?1 AND digest IN (SELECT value->>0 FROM json_each(?2))`,
}

/** Where the realm's projection stands; 0 before its first batch (the row is made with the realm). */
export async function readApplied(db: D1Database, realmId: number): Promise<number> {
  const row = await db
    .prepare(`SELECT applied FROM projection WHERE realm_id = ?`)
    .bind(realmId)
    .first<{ applied: number }>()
  return row?.applied ?? 0
}

/**
 * Applies writes and moves the cursor from `from` to `to`, all or nothing. A batch that arrives twice,
 * or late after another has moved the cursor, fails as a whole at its first statement: `applied` is
 * NOT NULL, and the CASE gives NULL unless the cursor stands where this batch expects it.
 */
export async function applyBatch(
  db: D1Database,
  realmId: number,
  batch: { readonly from: number; readonly to: number; readonly writes: readonly D1Write[] },
): Promise<{ rowsRead: number; rowsWritten: number }> {
  const results = await db.batch([
    db
      .prepare(`UPDATE projection SET applied = CASE WHEN applied = ?2 THEN ?3 END WHERE realm_id = ?1`)
      .bind(realmId, batch.from, batch.to),
    ...[
      ...groupRows(batch.writes),
      ...groupRows(batch.writes.flatMap((write) => searchWriteOf(write) ?? [])),
    ].map(({ statement, rows }) => db.prepare(sqlOf(statement)).bind(realmId, `[${rows.join(',')}]`)),
  ])
  return {
    rowsRead: results.reduce((sum, { meta }) => sum + meta.rows_read, 0),
    rowsWritten: results.reduce((sum, { meta }) => sum + meta.rows_written, 0),
  }
}

function sqlOf(statement: string): string {
  const sql = STATEMENTS[statement]
  if (sql === undefined) throw new Error(`Unknown D1 statement ${statement}`)
  return sql
}

/** Neighbouring rows of one statement become one call, in order. */
function groupRows(writes: readonly D1Write[]): { statement: string; rows: string[] }[] {
  const groups: { statement: string; rows: string[]; length: number }[] = []
  for (const { statement, row } of writes) {
    const json = JSON.stringify(row)
    const last = groups.at(-1)
    const fits =
      last?.statement === statement &&
      last.rows.length < ROWS_PER_STATEMENT &&
      last.length + json.length < JSON_LENGTH_PER_STATEMENT
    if (fits) {
      last.rows.push(json)
      last.length += json.length
    } else {
      groups.push({ statement, rows: [json], length: json.length })
    }
  }
  return groups
}
