import { ENTRIES_AT_ONCE } from '../../core/budgets.ts'
import type { Sql, SqlValue, WritableSql } from '../../core/sql.ts'
import { type Key, type Keyed, pageAfter } from '../key-pages.ts'
import { deleteMeta, readMetaJson, writeMeta } from '../meta-rows.ts'

/**
 * The part of a step that reads rows of which there are more, the more messages there are. A job makes it in pieces after the object has
 * woken, while others are served. Until it is over, readers take both forms, and what changes such rows has them rewritten before
 * (`rewriteFirst`).
 */
export interface Rewrite extends Keyed {
  /** The number of the step. */
  readonly step: number
  /** A statement that changes nothing where it has run already, and ends in its conditions for rows of `table`. */
  readonly statement: string
}

/** A rewrite that is not over. */
interface OpenRewrite {
  readonly step: number
  /** The key of the last row that it has read; null before the first. */
  readonly after: Key | null
}

/** SQL that enters a rewrite at the end of those that are not over; its parameter is the number of the step. */
export const OPEN_REWRITE = `INSERT INTO meta (key, value) VALUES ('rewrites', json_array(json_object('step', ?1, 'after', NULL)))
  ON CONFLICT (key) DO UPDATE SET value = json_insert(value, '$[#]', json_object('step', ?1, 'after', NULL))`

function openRewrites(sql: Sql): readonly OpenRewrite[] {
  return sql.kept('rewrites', () => readMetaJson<OpenRewrite[]>(sql, 'rewrites') ?? [])
}

/** Makes the next piece of the first rewrite that is not over, and stores how far that came. Returns whether anything is left. */
export function rewriteNext(sql: WritableSql, steps: readonly { readonly rewrite?: Rewrite }[]): boolean {
  const [open, ...later] = openRewrites(sql)
  const rewrite = open && steps[open.step - 1]?.rewrite
  if (!open || !rewrite) return false
  const { where, params, last } = pageAfter(sql, rewrite, open.after, ENTRIES_AT_ONCE)
  sql.run(`${rewrite.statement} AND ${where}`, ...params)
  const left = last ? [{ ...open, after: last }, ...later] : later
  if (left.length > 0) writeMeta(sql, 'rewrites', JSON.stringify(left))
  else deleteMeta(sql, 'rewrites')
  return left.length > 0
}

/** Rewrites the rows of a condition at once if their rewrite is not over: they are about to be changed. */
export function rewriteFirst(
  sql: WritableSql,
  { step, statement }: Rewrite,
  where: string,
  ...params: SqlValue[]
): void {
  if (openRewrites(sql).some((open) => open.step === step)) sql.run(`${statement} AND ${where}`, ...params)
}
