import { CHANGES_OF_COMMIT, D1_CALLS, PAGE_OF_ROWS } from '../../core/budgets.ts'
import { byDatabase } from '../../core/message-bodies.ts'
import type { D1Write } from '../../core/realm-transaction.ts'
import { withinTime } from '../../core/within-time.ts'
import { readPatiently } from './ask-d1.ts'
import type { BodyLocations } from './message-bodies.ts'
import { SEARCH_STATEMENTS, searchWriteOf } from './message-search.ts'

/** The writes about a message, whose id is the first value of a row. They go to the database that has its body. */
const OF_MESSAGES = {
  ...SEARCH_STATEMENTS,
  'insert-message-body': `
    INSERT OR REPLACE INTO message_body (realm_id, message_id, version, content, rendered_content)
    SELECT ?1, value->>0, 0, value->>1, value->>2 FROM json_each(?2) WHERE true`,
  // The last of several edits of one message counts. If the body was lost, the edit carries all of it.
  'replace-message-body': `
    INSERT INTO message_body (realm_id, message_id, version, content, rendered_content, edit_history)
    SELECT ?1, value->>0, value->>1, value->>2, value->>3, value->>4 FROM json_each(?2) WHERE true
    ORDER BY key
    ON CONFLICT (realm_id, message_id) DO UPDATE SET version = excluded.version, content = excluded.content,
      rendered_content = excluded.rendered_content, edit_history = excluded.edit_history`,
  // Finds the row by its key: with a join to the rows, SQLite would read every message of the realm. Source
  // and search entry stay. The row has the whole body for readers of the log.
  'replace-rendering': `
    UPDATE message_body SET (version, rendered_content) = (
      SELECT value->>1, value->>3 FROM json_each(?2) WHERE value->>0 = message_id ORDER BY key DESC LIMIT 1
    ) WHERE realm_id = ?1 AND message_id IN (SELECT value->>0 FROM json_each(?2))`,
  'delete-message-body': `
    DELETE FROM message_body WHERE realm_id = ?1 AND message_id IN (SELECT value->>0 FROM json_each(?2))`,
}

/** The writes about the organization itself, made in `DB`. */
const OF_REALM = {
  // The digests of an account that is there are written only if they have changed (`put-digests`): their two indexes cost a row each.
  'put-account': `
    INSERT INTO account (realm_id, user_id, full_name, role, kind, is_active, joined_at, email_digest, key_digest)
    SELECT ?1, value->>0, value->>1, value->>2, value->>3, value->>4, value->>5, value->>6, value->>7
    FROM json_each(?2) WHERE true ORDER BY key
    ON CONFLICT (realm_id, user_id) DO UPDATE SET full_name = excluded.full_name, role = excluded.role,
      kind = excluded.kind, is_active = excluded.is_active, joined_at = excluded.joined_at`,
  'put-digests': `
    UPDATE account SET (email_digest, key_digest) = (
      SELECT value->>1, value->>2 FROM json_each(?2) WHERE value->>0 = user_id ORDER BY key DESC LIMIT 1
    ) WHERE realm_id = ?1 AND user_id IN (SELECT value->>0 FROM json_each(?2))`,
  'delete-account': `
    DELETE FROM account WHERE realm_id = ?1 AND user_id IN (SELECT value->>0 FROM json_each(?2))`,
  'note-activity': `
    UPDATE account SET last_active_on = (
      SELECT value->>1 FROM json_each(?2) WHERE value->>0 = user_id ORDER BY key DESC LIMIT 1
    ) WHERE realm_id = ?1 AND user_id IN (SELECT value->>0 FROM json_each(?2))`,
  'insert-api-key-digest': `
    INSERT OR REPLACE INTO api_key_digest (digest, realm_id) SELECT value->>0, ?1 FROM json_each(?2) WHERE true`,
  'delete-api-key-digest': `
    DELETE FROM api_key_digest WHERE realm_id = ?1 AND digest IN (SELECT value->>0 FROM json_each(?2))`,
  // The last of several counts. Nothing is written if that is there already, as for a new organization.
  'note-realm': `
    UPDATE realm SET (name, is_closed) = (SELECT value->>0, value->>1 FROM json_each(?2) ORDER BY key DESC LIMIT 1)
    WHERE id = ?1 AND (name, is_closed) <> (SELECT value->>0, value->>1 FROM json_each(?2) ORDER BY key DESC LIMIT 1)`,
  'note-texts': `
    UPDATE realm SET (texts, last_active_on) = (
      SELECT value->>0, value->>1 FROM json_each(?2) ORDER BY key DESC LIMIT 1
    ) WHERE id = ?1`,
  // Stores when the organization's data is to be deleted, or null. The last of several counts.
  'note-deletion': `
    UPDATE realm SET delete_after = (SELECT value->>0 FROM json_each(?2) ORDER BY key DESC LIMIT 1) WHERE id = ?1`,
}

/**
 * Every write that a change can ask of D1, by name. `?1` is the realm, `?2` a JSON array of rows; the values
 * of a row are `value->>0`, `value->>1`, …
 *
 * They are applied in order, each batch exactly once (see `applyBatch`). Each can be repeated nevertheless:
 * if D1 or the object was restored from a copy, later writes overwrite what is there.
 */
const STATEMENTS: Readonly<Record<D1Write['statement'], string>> = { ...OF_MESSAGES, ...OF_REALM }

/** Whether the write is about a message, and made where its body is. */
export function isOfMessage({ statement }: Pick<D1Write, 'statement'>): boolean {
  return Object.hasOwn(OF_MESSAGES, statement)
}

/** Thrown for a write that this build has no statement for: a newer build has written the log. */
export class UnknownStatementError extends Error {}

/**
 * Returns the cursor of the realm's projection, undefined when D1 has none (the row is made with the realm), and the bytes of the
 * whole database.
 */
export async function readStanding(
  db: D1Database,
  realmId: number,
): Promise<{ readonly applied: number | undefined; readonly size: number }> {
  const query = db.prepare(`SELECT applied FROM projection WHERE realm_id = ?`).bind(realmId)
  const { results, meta } = await withinTime(D1_CALLS.answerMs, query.all<{ applied: number }>())
  return { applied: results[0]?.applied, size: meta.size_after }
}

/** Returns that cursor alone. */
export async function readApplied(db: D1Database, realmId: number): Promise<number | undefined> {
  return (await readStanding(db, realmId)).applied
}

/** Enters the projection of an organization in a database other than `DB`, before anything else. */
export async function insertProjection(db: D1Database, realmId: number): Promise<void> {
  const entry = db.prepare(`INSERT OR IGNORE INTO projection (realm_id, applied) VALUES (?, 0)`)
  await withinTime(D1_CALLS.answerMs, entry.bind(realmId).run())
}

/**
 * Returns the newest message whose body D1 has; 0 if there is none.
 * @throws ServiceUnavailableError (503)
 */
export async function newestBodyId(db: D1Database, realmId: number): Promise<number> {
  const query = db.prepare(`SELECT MAX(message_id) AS id FROM message_body WHERE realm_id = ?`).bind(realmId)
  const row = await readPatiently(() => query.first<{ id: number | null }>())
  return row?.id ?? 0
}

export interface BatchCost {
  readonly rowsRead: number
  readonly rowsWritten: number
  readonly statements: number
  /** Bytes that the database has now. */
  readonly size: number
}

/**
 * Applies writes and moves the cursor from `from` to `to`, all or nothing. A batch that arrives twice, or
 * late after another has moved the cursor, fails as a whole at its first statement: `applied` is NOT NULL,
 * and the CASE gives NULL unless the cursor stands where this batch expects it. A batch for a deleted
 * organization fails too, where a plain update would find no row and let it pass.
 *
 * @throws UnknownStatementError before anything is sent.
 */
export async function applyBatch(
  db: D1Database,
  realmId: number,
  batch: { readonly from: number; readonly to: number; readonly groups: readonly RowGroup[] },
): Promise<BatchCost> {
  const statements = [
    db
      .prepare(
        `INSERT INTO projection (realm_id, applied)
         SELECT ?1, CASE WHEN (SELECT applied FROM projection WHERE realm_id = ?1) = ?2 THEN ?3 END WHERE true
         ON CONFLICT (realm_id) DO UPDATE SET applied = excluded.applied`,
      )
      .bind(realmId, batch.from, batch.to),
    ...preparedOf(db, realmId, batch.groups),
  ]
  const results = await withinTime(D1_CALLS.answerMs, db.batch(statements))
  return {
    rowsRead: results.reduce((sum, { meta }) => sum + meta.rows_read, 0),
    rowsWritten: results.reduce((sum, { meta }) => sum + meta.rows_written, 0),
    statements: statements.length,
    size: results.at(-1)?.meta.size_after ?? 0,
  }
}

/** Returns the statements that carry out writes, in order, with the writes of the search index that follow. */
export function statementsOf(
  db: D1Database,
  realmId: number,
  writes: readonly D1Write[],
): D1PreparedStatement[] {
  return preparedOf(db, realmId, groupRows([{ writes }]))
}

/** Makes writes about messages outside of the projection, each in the database that has the message's body. Each may be repeated. */
export async function writeTexts(
  { ranges, database }: BodyLocations,
  realmId: number,
  writes: readonly TextWrite[],
): Promise<void> {
  for (const [number, own] of byDatabase(ranges, writes, ({ row }) => row[0])) {
    for (let left = own.map((write) => ({ id: write.row[0], writes: [write] })); left.length > 0; ) {
      const { taken, groups } = planBatch(left)
      const db = database(number)
      await withinTime(D1_CALLS.answerMs, db.batch(preparedOf(db, realmId, groups)))
      left = left.slice(taken.length)
    }
  }
}

function preparedOf(db: D1Database, realmId: number, groups: readonly RowGroup[]): D1PreparedStatement[] {
  return groups.map(({ statement, rows }) =>
    db.prepare(sqlOf(statement)).bind(realmId, `[${rows.join(',')}]`),
  )
}

/** Returns the SQL of a statement in the log, which a newer build may have written. */
function sqlOf(statement: string): string {
  const sql: string | undefined = STATEMENTS[statement as keyof typeof STATEMENTS]
  if (sql === undefined) throw new UnknownStatementError(`Unknown D1 statement ${statement}`)
  return sql
}

/** Length of a statement's JSON, in UTF-16 units of up to 3 bytes: a parameter may have 2,000,000 bytes. */
const JSON_LENGTH_PER_STATEMENT = 600_000

/** One statement of a batch, with the rows that it writes as JSON. */
interface RowGroup {
  readonly statement: string
  readonly rows: readonly string[]
}

/** A write of a whole body, or its end. */
export type TextWrite =
  | {
      readonly statement: 'replace-message-body'
      readonly row: readonly [id: number, version: number, content: string, html: string, editHistory: string]
    }
  | { readonly statement: 'delete-message-body'; readonly row: readonly [id: number] }

interface Entry {
  readonly id: number
  readonly writes: readonly D1Write[]
}

/** Returns the first entries that make up a batch, at least one, and their statements. */
export function planBatch<E extends Entry>(
  entries: readonly E[],
): { taken: readonly E[]; groups: readonly RowGroup[] } {
  const grouping = new Grouping()
  for (const [index, { writes }] of entries.entries()) {
    grouping.add(writes)
    if (grouping.fitsOneBatch || index === 0) continue
    const taken = entries.slice(0, index)
    return { taken, groups: groupRows(taken) }
  }
  return { taken: entries, groups: grouping.groups() }
}

/** Returns the statements that carry out all writes of these entries, in order, with the writes of the search index that follow. */
function groupRows(entries: readonly Pick<Entry, 'writes'>[]): readonly RowGroup[] {
  const grouping = new Grouping()
  for (const { writes } of entries) grouping.add(writes)
  return grouping.groups()
}

/** Groups rows of bodies and of the search index; the two are independent of each other. */
class Grouping {
  readonly #bodies = new OrderedGroups()
  readonly #search = new OrderedGroups()
  #deletions = 0

  add(writes: readonly D1Write[]): void {
    for (const write of writes) {
      this.#bodies.add(write)
      if (write.statement === 'delete-message-body') this.#deletions += 1
      const search = searchWriteOf(write)
      if (search) this.#search.add(search)
    }
  }

  get fitsOneBatch(): boolean {
    const statements = this.#bodies.groups.length + this.#search.groups.length
    return statements <= D1_CALLS.statementsOfBatch && this.#deletions <= CHANGES_OF_COMMIT
  }

  groups(): readonly RowGroup[] {
    return [...this.#bodies.groups, ...this.#search.groups]
  }
}

/** Groups the rows of each statement, while keeping the writes of each thing in order. */
class OrderedGroups {
  readonly groups: { statement: string; rows: string[]; length: number }[] = []
  /** The last group of each statement, which may have room. */
  readonly #open = new Map<string, number>()
  /** The last group that writes a row, by the row's first value. */
  readonly #lastOf = new Map<unknown, number>()

  add({ statement, row }: D1Write): void {
    const json = JSON.stringify(row)
    const open = this.#open.get(statement)
    const group = open === undefined ? undefined : this.groups[open]
    const fits =
      group !== undefined &&
      open! >= (this.#lastOf.get(row[0]) ?? 0) &&
      group.rows.length < PAGE_OF_ROWS &&
      group.length + json.length < JSON_LENGTH_PER_STATEMENT
    if (fits) {
      group.rows.push(json)
      group.length += json.length
      this.#lastOf.set(row[0], open!)
    } else {
      this.groups.push({ statement, rows: [json], length: json.length })
      this.#open.set(statement, this.groups.length - 1)
      this.#lastOf.set(row[0], this.groups.length - 1)
    }
  }
}
