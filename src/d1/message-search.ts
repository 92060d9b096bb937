import type { MessageSearch, SearchQuestion, SearchRange } from '../core/command.ts'
import type { D1Write } from '../core/realm-transaction.ts'
import { indexedText, searchExpression } from '../core/search-text.ts'
import { readPatiently } from './read-patiently.ts'

/** Statements that keep the index of messages' texts, in the form of d1/projection.ts. */
export const SEARCH_STATEMENTS: Readonly<Record<string, string>> = {
  'index-message-text': `
    INSERT OR REPLACE INTO message_search (rowid, text)
    SELECT (?1 << 32) + (value->>0), value->>1 FROM json_each(?2)`,
  'forget-message-text': `
    DELETE FROM message_search WHERE rowid IN (SELECT (?1 << 32) + (value->>0) FROM json_each(?2))`,
}

/** What a write of a body means for the index: whoever writes bodies need not think of it. */
export function searchWriteOf({ statement, row }: D1Write): D1Write | undefined {
  switch (statement) {
    case 'insert-message-body':
      return { statement: 'index-message-text', row: [row[0]!, indexedText(String(row[1]))] }
    case 'replace-message-body':
      return { statement: 'index-message-text', row: [row[0]!, indexedText(String(row[2]))] }
    case 'delete-message-body':
      return { statement: 'forget-message-text', row: [row[0]!] }
    default:
      return undefined
  }
}

/** Searches one realm's messages. */
export function messageSearchIn(db: D1Database, realmId: number): MessageSearch {
  return {
    async search(needles: readonly string[], { above, below, newestFirst, limit }: SearchRange) {
      const query = db
        .prepare(
          `SELECT rowid - (?1 << 32) AS id FROM message_search
           WHERE message_search MATCH ?2 AND rowid > (?1 << 32) + CAST(?3 AS INTEGER)
             AND rowid < (?1 << 32) + CAST(?4 AS INTEGER)
           ORDER BY rowid ${newestFirst ? 'DESC' : 'ASC'} LIMIT ?5`,
        )
        .bind(realmId, searchExpression(needles), above, Math.min(below, 2 ** 32), limit)
      const { results } = await readPatiently(() => query.all<{ id: number }>())
      const ids = results.map(({ id }) => id)
      return { ids, reached: ids.length < limit ? null : ids.at(-1)! }
    },
    async contained<Question extends SearchQuestion>(questions: readonly Question[]) {
      const expressions: string[] = []
      const places = new Map<string, number>()
      const asked = questions.map(({ id, needles }, at) => {
        const expression = searchExpression(needles)
        const place = places.get(expression) ?? expressions.push(expression) - 1
        places.set(expression, place)
        return [at, id, place]
      })
      const query = db
        .prepare(
          `SELECT q.value->>0 AS place FROM json_each(?2) q
           CROSS JOIN json_each(?3) e ON e.key = q.value->>2
           CROSS JOIN message_search ON message_search.rowid = (?1 << 32) + (q.value->>1)
             AND message_search MATCH e.value`,
        )
        .bind(realmId, JSON.stringify(asked), JSON.stringify(expressions))
      const { results } = await readPatiently(() => query.all<{ place: number }>())
      return results.map(({ place }) => questions[place]!)
    },
  }
}
