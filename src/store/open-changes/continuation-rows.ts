import { fromJson, type JsonText, jsonText } from '../../core/json.ts'
import type { Continuation } from '../../core/realm-transaction.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'
import { deleteMeta, type MetaKey, metaBetween, readMetaJson, writeMeta } from '../meta-rows.ts'

/** Returns what is left for a continuation; undefined if nothing is. */
export function findLeft<Left extends object>(
  sql: Sql,
  { name }: Continuation<Left>,
  key: string,
): Left | undefined {
  return readMetaJson<Left>(sql, `continuation:${name}:${key}`)
}

/** Lists what is left for the continuations of this kind, `limit` at most. */
export function listLeft<Left extends object>(sql: Sql, { name }: Continuation<Left>, limit: number): Left[] {
  const [from, to]: [MetaKey, MetaKey] = [`continuation:${name}:`, `continuation:${name}:${AFTER_ALL}`]
  return metaBetween<JsonText<Left>>(sql, from, to, limit).map(fromJson)
}

/** Stores what is left; undefined: nothing is. */
export function writeLeft<Left extends object>(
  sql: WritableSql,
  { name }: Continuation<Left>,
  key: string,
  left: Left | undefined,
): void {
  if (left === undefined) deleteMeta(sql, `continuation:${name}:${key}`)
  else writeMeta(sql, `continuation:${name}:${key}`, jsonText(left))
}

/** Sorts after all keys. */
const AFTER_ALL = '~'
