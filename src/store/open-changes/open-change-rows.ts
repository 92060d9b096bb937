import { ENTRIES_AT_ONCE, PAGE_OF_ROWS } from '../../core/budgets.ts'
import type { RequestSource } from '../../core/call.ts'
import { fromJson, type JsonText, jsonText } from '../../core/json.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'
import {
  countMetaBetween,
  deleteMeta,
  type MetaKey,
  metaBetween,
  metaKeysBetween,
  readMetaJson,
  writeMeta,
} from '../meta-rows.ts'

/**
 * A change of several commits that is not over: what was asked, and by whom. What its commits have returned is in rows of their own, since
 * the rest follows from that. Later builds must be able to read both.
 */
export interface OpenChange {
  readonly operation: string
  readonly params: unknown
  /** The account that asked; null for a caller without one. */
  readonly userId: number | null
  readonly source: Omit<RequestSource, 'idempotency'>
  /** The request, if it has a key, which is stored as a digest (model/idempotency/first-answer.ts). */
  readonly keyed: { readonly key: string; readonly request: string; readonly files?: string } | null
  /** The time of all its commits, where a past is invented. */
  readonly at: number | null
}

/** What a commit has returned; without a value if that was nothing. */
interface Made {
  readonly returned?: unknown
}

/** Returns the id of a change: unique with the key of its request, or random digits, for its account. */
export function idOfChange(userId: number | null, name: string): string {
  return `${userId ?? 0}:${name}`
}

export function findOpenChange(sql: Sql, id: string): OpenChange | undefined {
  return readMetaJson<OpenChange>(sql, keyOf(id))
}

export function countOpenChanges(sql: Sql, userId: number | null): number {
  return countMetaBetween(sql, keyOf(idOfChange(userId, '')), keyOf(idOfChange(userId, AFTER_ALL)))
}

/** Lists the first ids of changes, of any account. */
export function listOpenChanges(sql: Sql): string[] {
  return metaKeysBetween(sql, keyOf(''), keyOf(AFTER_ALL), ENTRIES_AT_ONCE).map((key) =>
    key.slice(keyOf('').length),
  )
}

export function insertOpenChange(sql: WritableSql, id: string, change: OpenChange): void {
  writeMeta(sql, keyOf(id), jsonText(change))
}

/** Stores what the commit with this number, from 0, has returned. */
export function insertMade(sql: WritableSql, id: string, number: number, returned: unknown): void {
  writeMeta(sql, keyOfMade(id, number), jsonText<Made>({ returned }))
}

/** Returns what the commits so far have returned, in their order. */
export function listMade(sql: Sql, id: string): unknown[] {
  const made: unknown[] = []
  for (;;) {
    const from = keyOfMade(id, made.length)
    const page = metaBetween<JsonText<Made>>(sql, from, `change_made:${id}:${AFTER_ALL}`, PAGE_OF_ROWS)
    made.push(...page.map((text) => fromJson(text).returned))
    if (page.length < PAGE_OF_ROWS) return made
  }
}

/** Deletes a change of which so many commits were stored. */
export function deleteOpenChange(sql: WritableSql, id: string, made: number): void {
  for (let number = 0; number < made; number += 1) deleteMeta(sql, keyOfMade(id, number))
  deleteMeta(sql, keyOf(id))
}

/** Sorts after all names and numbers. */
const AFTER_ALL = '~'
const DIGITS = 8

function keyOf(id: string): MetaKey {
  return `change:${id}`
}

function keyOfMade(id: string, number: number): MetaKey {
  return `change_made:${id}:${String(number).padStart(DIGITS, '0')}`
}
