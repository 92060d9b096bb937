import type { Sql, WritableSql } from '../../core/sql.ts'
import { Rows } from '../select-rows.ts'
import type { Removed } from './personal-rows.ts'

/** What becomes of an erased person's messages. */
export type ErasedMessages = 'keep' | 'remove'

/** A person who was erased, or is being erased. The table `erasure` is owned by this file. */
export interface Erasure {
  readonly id: number
  readonly userId: number
  /** The person's account, then those of their bots. */
  readonly accounts: readonly number[]
  /** Null where a list of erased people was applied to a restored organization. */
  readonly askedBy: number | null
  /** UNIX seconds with fraction, as all its times. */
  readonly askedAt: number
  readonly messages: ErasedMessages
  readonly finishedAt: number | null
  /** When the stores of backups had it in their lists. */
  readonly listedAt: number | null
  readonly removed: Removed
}

const ERASURES = new Rows<Erasure>(
  'erasure',
  'id user_id accounts:json asked_by asked_at messages finished_at listed_at removed:json',
)

export function insertErasure(
  sql: WritableSql,
  erasure: Pick<Erasure, 'userId' | 'accounts' | 'askedBy' | 'askedAt' | 'messages'>,
): number {
  return ERASURES.insertNew(sql, erasure)
}

/** Lists up to `limit` erasures below an id, the newest first. */
export function listErasures(sql: Sql, below: number, limit: number): Erasure[] {
  return ERASURES.list(sql, `WHERE id < ? ORDER BY id DESC LIMIT ?`, below, limit)
}

/** Has all of them listed again. */
export function unlistErasures(sql: WritableSql): void {
  sql.run(`UPDATE erasure SET listed_at = NULL`)
}

export function findErasure(sql: Sql, id: number): Erasure | undefined {
  return ERASURES.find(sql, `WHERE id = ?`, id)
}

/** Lists the erasures that were asked for after a time. */
export function erasuresSince(sql: Sql, since: number): Erasure[] {
  return ERASURES.list(sql, `WHERE asked_at > ? ORDER BY id`, since)
}

/** Returns the last erasure of a person. */
export function lastErasureOf(sql: Sql, userId: number): Erasure | undefined {
  return ERASURES.find(sql, `WHERE user_id = ? ORDER BY id DESC LIMIT 1`, userId)
}

/** Lists the oldest that the stores of backups do not have in their lists. */
export function listUnlisted(sql: Sql, limit: number): Erasure[] {
  return ERASURES.list(sql, `WHERE listed_at IS NULL ORDER BY id LIMIT ?`, limit)
}

export function changeErasure(
  sql: WritableSql,
  id: number,
  changes: Partial<Pick<Erasure, 'finishedAt' | 'listedAt' | 'removed'>>,
): void {
  ERASURES.change(sql, id, changes)
}
