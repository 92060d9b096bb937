/**
 * A text that is deleted is found by nobody at once, but its three-letter pieces stand in the pages of the index until the
 * segment that they are in is merged (SQLite's FTS5, "Contentless-Delete Tables" and "The 'merge' Command"). What was
 * deleted of a segment is noted in pages of its own, which go with it: a segment without such pages has nothing of a
 * deleted text.
 */

/** Written by one statement, of 4 kB each: well below a second's work. */
const PAGES_OF_ONE_MERGE = 500

/** Rows that change for a page that is written, of all tables that the index is made of: the old ones go. */
const ROWS_OF_A_PAGE = 4

/** The rows that note what was deleted have the number of their segment above all other rows' (FTS5_TOMBSTONE_ROWID). */
const SEGMENTS_WITH_DELETED = `
  SELECT DISTINCT (id >> 37) - 65536 AS segment FROM message_search_data WHERE id >= (65536 << 37)`

/**
 * Takes the texts that are deleted by now out of the pages of the index, of all organizations: goes on until every
 * segment is gone that has any of them, or about `budget` pages (of 4 kB) are written. True when all is done; else the next call goes
 * on where this one has stopped. An index without deleted texts costs one read.
 */
export async function purgeSearchIndex(db: D1Database, budget: number): Promise<boolean> {
  let left = await segmentsWithDeleted(db)
  for (let pages = 0; pages < budget && left.length > 0; ) {
    // What is under way comes first: to begin anew would be to write again what is written already.
    const written = (await merge(db, PAGES_OF_ONE_MERGE)) || (await merge(db, -PAGES_OF_ONE_MERGE))
    if (written === 0) return true
    pages += written
    // Numbers of segments are given again: one that was merged may come back, and then costs another round.
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
 * Writes about so many pages of a merge. Positive: goes on with one that is under way, or begins one of a level that has
 * two segments. Negative: begins one of all segments, also where there is only one, if something in it is deleted. Answers how many
 * were written, 0 when there was nothing to do.
 */
async function merge(db: D1Database, pages: number): Promise<number> {
  const { meta } = await db
    .prepare(`INSERT INTO message_search (message_search, rank) VALUES ('merge', ?)`)
    .bind(pages)
    .run()
  // The statement itself counts as one.
  return (meta.changes - 1) / ROWS_OF_A_PAGE
}
