import { fromJson, type JsonText } from '../../core/json.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'

/** The time at which a user was last there. Times in whole UNIX seconds. Source: docs/interface/users.md#presence. */
export interface Presence {
  readonly userId: number
  /** Last used the device; null when never seen doing so. */
  readonly activeAt: number | null
  /** Last had a client running. */
  readonly connectedAt: number
  /** Rises with every change in the organization: clients ask for what is newer than they know. */
  readonly updateId: number
}

/**
 * The users that share a row: a quiet ping of each of them costs no row of its own
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

/** `presences`: all that are in the block. */
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
