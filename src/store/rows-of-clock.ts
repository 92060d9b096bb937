import { JOB_KINDS } from '../core/job-kinds.ts'
import type { Sql, WritableSql } from '../core/sql.ts'
import { type Key, type Keyed, pageAfter } from './key-pages.ts'
import { deleteMeta, readMetaJson, writeMeta } from './meta-rows.ts'

/** Rows of a table to adjust when the clock is set back, in parts (realm/jobs/follow-clock.ts). */
interface RowsOfClock extends Keyed {
  /** SQL of the assignment, with one parameter. */
  readonly set: string
  /** The parameter: the seconds by which the clock was set back, or the new time (UNIX seconds). */
  readonly given: 'seconds' | 'now'
  /** SQL condition for the rows. */
  readonly where: string
}

/** Describes rows that became due by the old clock, some time after they were entered, begun or failed: they are made due earlier. */
function hastened(table: string, keys: readonly string[], where = 'true'): RowsOfClock {
  return { table, keys, set: 'due_at = due_at - ?', given: 'seconds', where }
}

const AFTER_A_PAUSE = Object.entries(JOB_KINDS)
  .filter(([, kind]) => !('isTimed' in kind))
  .map(([kind]) => `'${kind}'`)

/** Everything that is due some time after it was entered, begun or failed, and when users were seen last. In this order. */
export const FOLLOWING: readonly RowsOfClock[] = [
  hastened('job', ['kind', 'key'], `attempts > 0 OR kind IN (${AFTER_A_PAUSE.join()})`),
  hastened('email', ['id'], 'sent_at IS NULL'),
  hastened('missed_mail', ['user_id']),
  hastened('digest', ['user_id'], 'due_at IS NOT NULL'),
  hastened('webhook_call', ['id']),
  hastened('preview_request', ['message_id']),
  hastened('pending_push', ['id']),
  hastened('push_token', ['user_id', 'kind', 'token'], "state <> 'known' AND due_at > 0"),
  hastened('push_shown', ['user_id'], 'is_stale <> 0 AND due_at > 0'),
  { table: 'queue', keys: ['id'], set: 'seen_at = min(seen_at, ?)', given: 'now', where: 'true' },
]

/** A clock that was set back, and the rows that have followed it: all in the tables before `table`, and those of `table` up to a key. */
export interface SetBack {
  readonly seconds: number
  /** The time afterwards (UNIX seconds). */
  readonly now: number
  readonly table: string
  /** The key; null before the first row. */
  readonly upTo: Key | null
}

/** Returns the set-backs that not all rows have followed, the oldest first. */
export function readSetBacks(sql: Sql): readonly SetBack[] {
  return readMetaJson<SetBack[]>(sql, 'clock_set_back') ?? []
}

export function writeSetBacks(sql: WritableSql, setBacks: readonly SetBack[]): void {
  if (setBacks.length === 0) deleteMeta(sql, 'clock_set_back')
  else writeMeta(sql, 'clock_set_back', JSON.stringify(setBacks))
}

/** Lets the next `limit` rows of a table follow a set-back, by their keys. Returns the last of them; undefined at the end of the table. */
export function followNext(
  sql: WritableSql,
  rows: RowsOfClock,
  { seconds, now, upTo }: Pick<SetBack, 'seconds' | 'now' | 'upTo'>,
  limit: number,
): Key | undefined {
  const { table, set, given } = rows
  const page = pageAfter(sql, rows, upTo, limit)
  const value = given === 'seconds' ? seconds : Math.floor(now)
  sql.run(`UPDATE ${table} SET ${set} WHERE ${page.where} AND (${rows.where})`, value, ...page.params)
  return page.last
}
