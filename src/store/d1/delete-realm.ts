import { hostGivenUp } from './realms.ts'

/** The organization whose rows are deleted. */
interface DeletedRealm {
  readonly id: number
  readonly host: string
}

/**
 * The tables that have rows of an organization, except the list of organizations. Each with the key of its
 * rows, and the condition that selects the organization's (`?1`).
 */
const TABLES = {
  message_body: { key: 'message_id', which: 'realm_id = ?1' },
  message_search: { key: 'rowid', which: 'rowid > (?1 << 32) AND rowid < ((?1 + 1) << 32)' },
  account: { key: 'user_id', which: 'realm_id = ?1' },
  // Its pieces go with it.
  stored_file: { key: 'id', which: 'realm_id = ?1' },
  stored_space: { key: 'realm_id', which: 'realm_id = ?1' },
  organization_usage: { key: 'realm_id', which: 'realm_id = ?1' },
  // Every new key would have to pay for an index by realm, so all of the deployment's rows are read.
  api_key_digest: { key: 'digest', which: 'realm_id = ?1' },
} as const

type RealmTable = keyof typeof TABLES

export const REALM_TABLES = Object.keys(TABLES) as readonly RealmTable[]

/** Deletes up to `limit` rows of an organization, and returns whether any are left. */
export async function deleteRealmRows(
  db: D1Database,
  realmId: number,
  table: RealmTable,
  limit: number,
): Promise<boolean> {
  const { key, which } = TABLES[table]
  const [, left] = await db.batch([
    db
      .prepare(
        `DELETE FROM ${table} WHERE ${which} AND ${key} IN (SELECT ${key} FROM ${table} WHERE ${which} LIMIT ?2)`,
      )
      .bind(realmId, limit),
    db.prepare(`SELECT 1 FROM ${table} WHERE ${which} LIMIT 1`).bind(realmId),
  ])
  return left!.results.length > 0
}

/** Deletes the organization's cursor in a database: batches that arrive later find none, and are refused. */
export async function deleteProjection(db: D1Database, realmId: number): Promise<void> {
  await db.prepare(`DELETE FROM projection WHERE realm_id = ?`).bind(realmId).run()
}

/** Deletes the last rows: the cursor, the tickets, and the entry in the list, which frees the host. */
export async function deleteRealm(db: D1Database, { id, host }: DeletedRealm): Promise<void> {
  await db.batch([
    // Those of another organization that has taken the host stay.
    db
      .prepare(
        `DELETE FROM organization_ticket WHERE host = ?1 AND NOT EXISTS (SELECT 1 FROM realm WHERE host = ?1 AND id <> ?2)`,
      )
      .bind(host, id),
    db.prepare(`DELETE FROM projection WHERE realm_id = ?`).bind(id),
    // If D1 was restored from a copy, the id or the host may belong to another organization.
    db.prepare(`DELETE FROM realm WHERE id = ? AND host IN (?, ?)`).bind(id, host, hostGivenUp(id)),
  ])
}

/**
 * Purges deleted texts from the search index. Searches do not find a deleted text any more, but its trigrams stay in the pages of the index
 * until their segment is merged (SQLite's FTS5, "Contentless-Delete Tables" and "The 'merge' Command"). Deletions in a segment are recorded
 * in further pages, which go with it: a segment without such pages has nothing of a deleted text.
 */

/**
 * Pages that one statement writes, of 4 kB each, in which D1 answers nobody: 0.05 s where 10,000 took a second. More, up to
 * the limit (0.5 s there), where the queries would not suffice otherwise.
 */
const PAGES_OF_ONE_MERGE = 500
const MAX_PAGES_OF_ONE_MERGE = 5_000

/** Queries of one round, at most: the segments and two merges, the second only if the first found nothing to do. */
const QUERIES_OF_A_ROUND = 3

/** Changed rows for each page that is written, of all tables of the index, since the old rows are deleted. */
const ROWS_OF_A_PAGE = 4

/** Segments with deletions: the rows that note them have the segment's number above all other rows' (FTS5_TOMBSTONE_ROWID). */
const SEGMENTS_WITH_DELETED = `
  SELECT DISTINCT (id >> 37) - 65536 AS segment FROM message_search_data WHERE id >= (65536 << 37)`

export interface PurgeBudget {
  /** Pages to write, of 4 kB. The last statement may pass it. */
  readonly pages: number
  /** Queries of D1 to ask, never passed: the platform ends an invocation that asks too many. */
  readonly queries: number
}

/**
 * Removes texts that are deleted by now from the pages of the index, for all organizations, until no segment
 * has any of them, or the budget is used up. Returns true when all is done; otherwise the next call continues:
 * how far a merge has come is in the index. An index without deleted texts costs one read.
 */
export async function purgeSearchIndex(db: D1Database, { pages, queries }: PurgeBudget): Promise<boolean> {
  let left = await segmentsWithDeleted(db)
  let rounds = Math.floor((queries - 1) / QUERIES_OF_A_ROUND)
  const atOnce = Math.min(Math.max(PAGES_OF_ONE_MERGE, Math.ceil(pages / rounds)), MAX_PAGES_OF_ONE_MERGE)
  for (let done = 0; rounds > 0 && done < pages && left.length > 0; rounds -= 1) {
    // A merge under way comes first: beginning anew would write again what is written already.
    const written = (await merge(db, atOnce)) || (await merge(db, -atOnce))
    if (written === 0) return true
    done += written
    // Segment numbers are reused: a merged one may appear again, and then costs another round.
    const now = new Set(await segmentsWithDeleted(db))
    left = left.filter((segment) => now.has(segment))
  }
  return left.length === 0
}

async function segmentsWithDeleted(db: D1Database): Promise<number[]> {
  const { results } = await db.prepare(SEGMENTS_WITH_DELETED).all<{ segment: number }>()
  return results.map(({ segment }) => segment)
}

/**
 * Writes about this number of pages of a merge. A positive one continues a merge that is under way, or begins one of a level
 * that has two segments. A negative one begins a merge of all segments, even a single one, if something in it is
 * deleted. Returns how many were written, 0 when there was nothing to do.
 */
async function merge(db: D1Database, pages: number): Promise<number> {
  const { meta } = await db
    .prepare(`INSERT INTO message_search (message_search, rank) VALUES ('merge', ?)`)
    .bind(pages)
    .run()
  // The statement itself counts as one.
  return (meta.changes - 1) / ROWS_OF_A_PAGE
}
