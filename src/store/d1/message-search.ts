import type { MessageSearch, SearchQuestion, SearchRange, SearchTermGroups } from '../../core/other-stores.ts'
import type { D1Write } from '../../core/realm-transaction.ts'
import { anySearchExpression, indexedText, searchExpression, TRIGRAM } from '../../core/search-text.ts'
import { isLongerThan } from '../../core/text-length.ts'
import { fromNearest, fromPrimary } from './ask-d1.ts'

/** Statements that keep the index of messages' texts, in the form of store/d1/projection.ts. */
export const SEARCH_STATEMENTS: Readonly<Record<SearchWrite['statement'], string>> = {
  'index-message-text': `
    INSERT OR REPLACE INTO message_search (rowid, text)
    SELECT (?1 << 32) + (value->>0), value->>1 FROM json_each(?2)`,
  'forget-message-text': `
    DELETE FROM message_search WHERE rowid IN (SELECT (?1 << 32) + (value->>0) FROM json_each(?2))`,
}

/** A write of the index, which follows from a write of a body. */
type SearchWrite =
  | Extract<D1Write, { readonly statement: 'index-message-text' }>
  | { readonly statement: 'forget-message-text'; readonly row: readonly [id: number] }

/** Returns the write of the index that follows from a write of a body: code that writes bodies need not care about the index. */
export function searchWriteOf(write: D1Write): SearchWrite | undefined {
  switch (write.statement) {
    case 'insert-message-body':
      return { statement: 'index-message-text', row: [write.row[0], indexedText(String(write.row[1]))] }
    case 'replace-message-body':
      return { statement: 'index-message-text', row: [write.row[0], indexedText(String(write.row[2]))] }
    case 'delete-message-body':
      return { statement: 'forget-message-text', row: [write.row[0]] }
    default:
      return undefined
  }
}

/** The first row of an answer, before the hits: the cursor of the projection in the same copy of D1. */
const STANDING = `SELECT 1 AS isStanding, ifnull((SELECT applied FROM projection WHERE realm_id = ?1), -1) AS number`

/**
 * Asks the nearest copy of D1 for one number a row, and the primary if the copy has not come as far as
 * `applied`: such a copy would miss the latest texts, and still find deleted ones. Undefined: it is not known
 * how far the copy must have come, and only the primary is asked.
 */
async function findNear(
  db: D1Database,
  { sql, values, applied }: { sql: string; values: readonly unknown[]; applied: number | undefined },
): Promise<number[]> {
  const ask = async (from: Pick<D1DatabaseSession, 'prepare'>) => {
    const { results } = await from
      .prepare(`${STANDING} UNION ALL SELECT 0, number FROM (${sql})`)
      .bind(...values)
      .all<{ isStanding: number; number: number }>()
    const found = results.filter(({ isStanding }) => isStanding === 0).map(({ number }) => number)
    return { standing: results.find(({ isStanding }) => isStanding === 1)!.number, found }
  }
  if (applied !== undefined) {
    const { standing, found } = await fromNearest(db, ask)
    if (standing >= applied) return found
  }
  return (await fromPrimary(db, ask)).found
}

/** A number above all ids of messages: numbers above it hold the index of an expression in their upper part. */
const ABOVE_ALL_IDS = 2 ** 32

/**
 * Gap between two messages that one look into the index may span; hits in the gap are passed over. A look costs at
 * least 25 µs, and among 100,000 texts with the same words a millisecond and more, since FTS5 goes through the texts
 * with all trigrams of a word up to the first that has the word: but not for a single trigram. A hit costs less than 1 µs.
 */
const WIDEST_GAP = { ofTrigram: 32, ofWords: 500 }

function widestGap([group, ...others]: SearchTermGroups): number {
  const isTrigram = others.length === 0 && group?.length === 1 && !isLongerThan(group[0]!, TRIGRAM)
  return isTrigram ? WIDEST_GAP.ofTrigram : WIDEST_GAP.ofWords
}

/** Groups ids into ranges of neighbours, both ends included. */
function rangesOf(ids: readonly number[], gap: number): [first: number, last: number][] {
  const ranges: [number, number][] = []
  for (const id of ids.toSorted((a, b) => a - b)) {
    const range = ranges.at(-1)
    if (range && id - range[1] <= gap) range[1] = id
    else ranges.push([id, id])
  }
  return ranges
}

/**
 * Searches one realm's messages. `applied`: the log id up to which D1 certainly is, by its own cursor; the
 * caller knows of anything newer. Undefined: everything in D1 may be found.
 */
export function messageSearchIn(
  db: D1Database,
  realmId: number,
  applied: () => number | undefined = () => undefined,
): MessageSearch {
  return {
    async search(searchTerms: readonly string[], { above, below, newestFirst, limit }: SearchRange) {
      const ids = await findNear(db, {
        sql: `SELECT rowid - (?1 << 32) AS number FROM message_search
          WHERE message_search MATCH ?2 AND rowid > (?1 << 32) + CAST(?3 AS INTEGER)
            AND rowid < (?1 << 32) + CAST(?4 AS INTEGER)
          ORDER BY rowid ${newestFirst ? 'DESC' : 'ASC'} LIMIT ?5`,
        values: [realmId, searchExpression(searchTerms), above, Math.min(below, 2 ** 32), limit],
        applied: applied(),
      })
      ids.sort((a, b) => (newestFirst ? b - a : a - b))
      return { ids, reached: ids.length < limit ? null : ids.at(-1)! }
    },
    async contained<Question extends SearchQuestion>(questions: readonly Question[]) {
      // Most of the thousands of questions are about the same groups.
      const expressions = new Map<SearchTermGroups, string>()
      const expressionOf = (groups: SearchTermGroups): string => {
        const known = expressions.get(groups) ?? anySearchExpression(groups)
        expressions.set(groups, known)
        return known
      }
      const asked = Map.groupBy(questions, ({ anyOf }) => expressionOf(anyOf))
      const looks = [...asked].map(([expression, each]) => [
        expression,
        rangesOf(
          each.map(({ id }) => id),
          widestGap(each[0]!.anyOf),
        ),
      ])
      const found = await findNear(db, {
        sql: `SELECT e.key * ${ABOVE_ALL_IDS} + message_search.rowid - (?1 << 32) AS number
          FROM json_each(?2) e
          CROSS JOIN json_each(e.value, '$[1]') r
          CROSS JOIN message_search ON message_search.rowid >= (?1 << 32) + (r.value->>0)
            AND message_search.rowid <= (?1 << 32) + (r.value->>1) AND message_search MATCH e.value->>0
          WHERE message_search.rowid - (?1 << 32) IN (SELECT value FROM json_each(?3))`,
        values: [realmId, JSON.stringify(looks), JSON.stringify([...new Set(questions.map(({ id }) => id))])],
        applied: applied(),
      })
      const containing = new Set(found)
      return [...asked.values()].flatMap((each, position) =>
        each.filter(({ id }) => containing.has(position * ABOVE_ALL_IDS + id)),
      )
    },
  }
}
