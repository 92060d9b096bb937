import { ENTRIES_AT_ONCE, PAGE_OF_ROWS, TEXT_OF_SLICE } from '../../core/budgets.ts'
import { fairScheduler } from '../../core/fair-scheduler.ts'
import type { D1Write } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { readWritesAfter } from '../../events/log.ts'
import { applyBatch } from '../../store/d1/projection.ts'

const AT_ONCE = { entries: PAGE_OF_ROWS, bytes: TEXT_OF_SLICE, writes: ENTRIES_AT_ONCE }

const DELETION = 'delete-message-body'

/** Batches of one call. */
const BATCHES = 20

/** The part of `ProjectorParts` that is needed. */
interface Target {
  readonly sql: Sql
  readonly db: D1Database
  readonly realmId: number
  own(writes: readonly D1Write[]): readonly D1Write[]
}

/**
 * Sends deletions of texts that wait in the log to a database without room, ahead of the new texts that it cannot take: they make room.
 * Its cursor stays, so each is sent again in its place, which changes nothing, since a deleted text is never written again. Search
 * entries go only then: a full database may refuse that, since FTS5 notes deletions on new pages. Returns the log id up to which all were
 * sent.
 * @param applied the database's cursor
 * @param after log id of the first that may not have been sent
 */
export async function sendDeletionsFirst(
  { sql, db, realmId, own }: Target,
  applied: number,
  after: number,
): Promise<number> {
  let reached = after
  for (let batches = 0; batches < BATCHES; ) {
    const logged = readWritesAfter(sql, reached, AT_ONCE)
    const last = logged.at(-1)
    if (!last) break
    const rows = logged
      .flatMap(({ writes }) => own(writes))
      .flatMap(({ statement, row }) => (statement === DELETION ? JSON.stringify(row) : []))
    if (rows.length > 0) {
      await applyBatch(db, realmId, { from: applied, to: applied, groups: [{ statement: DELETION, rows }] })
      batches += 1
    } else await fairScheduler.nextSlice({ owner: `realm ${realmId}` })
    reached = last.id
  }
  return reached
}
