import { fromJson, type JsonText } from '../../core/json.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'

/** The times at which a user was last seen. Times in whole UNIX seconds. Source: docs/interface/users.md#presence. */
export interface Presence {
  readonly userId: number
  /** When they last used a device; null if they were never seen to. */
  readonly activeAt: number | null
  /** When one of their clients last ran. */
  readonly connectedAt: number
  /** Number that grows with every change in the organization: clients ask for anything newer than they know. */
  readonly updateId: number
}

/**
 * Number of users who share a row, so that a quiet ping of each costs no row of its own
 * (docs/decisions/design.md#the-log-is-the-only-stream).
 */
const USERS_PER_BLOCK = 256

type PackedPresence = [userId: number, activeAt: number | null, connectedAt: number, updateId: number]

export function presenceBlockOf(userId: number): number {
  return Math.floor(userId / USERS_PER_BLOCK)
}

export function readPresences(sql: Sql): Presence[] {
  return sql
    .all<{ entries: JsonText<PackedPresence[]> }>(`SELECT entries FROM presence_block ORDER BY block`)
    .flatMap(({ entries }) => fromJson(entries))
    .map(([userId, activeAt, connectedAt, updateId]) => ({ userId, activeAt, connectedAt, updateId }))
}

/** Saves a block. `presences`: all in the block. */
export function savePresenceBlock(sql: WritableSql, block: number, presences: readonly Presence[]): void {
  const packed = presences.map(
    ({ userId, activeAt, connectedAt, updateId }): PackedPresence => [
      userId,
      activeAt,
      connectedAt,
      updateId,
    ],
  )
  sql.run(
    `INSERT OR REPLACE INTO presence_block (block, entries) VALUES (?, ?)`,
    block,
    JSON.stringify(packed),
  )
}
