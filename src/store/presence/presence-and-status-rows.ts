import { fromJson, type JsonText } from '../../core/json.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'
import type { Emoji } from '../emoji/emoji-lookup.ts'
import { nameOfBlock, USERS_IN_A_BLOCK } from '../users/account-set-rows.ts'

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
  sql.run(`INSERT OR REPLACE INTO presence_block (block, entries) VALUES (?, ?)`, block, packed)
}

/** A user's status; '' for no text. Source: docs/interface/users.md#status. */
export interface UserStatus extends Emoji {
  readonly status_text: string
}

export const NO_STATUS: UserStatus = {
  status_text: '',
  emoji_name: '',
  emoji_code: '',
  reaction_type: 'unicode_emoji',
}

const COLUMNS = 'status_text, emoji_name, emoji_code, reaction_type'

export function readStatus(sql: Sql, userId: number): UserStatus {
  return sql.first<UserStatus>(`SELECT ${COLUMNS} FROM user_status WHERE user_id = ?`, userId) ?? NO_STATUS
}

type StatusColumns = [
  userId: number,
  text: string,
  emojiName: string,
  emojiCode: string,
  reactionType: Emoji['reaction_type'],
]

/** Returns the statuses of some hundred users who have any. In one row: at the limits of texts and names a thousand are some 500 kB, of two million. */
export function readStatusesOf(sql: Sql, ids: readonly number[]): Map<number, UserStatus> {
  const found = sql.list<StatusColumns>(
    `SELECT json_group_array(json_array(user_id, ${COLUMNS})) AS found FROM user_status
     WHERE user_id IN (SELECT value FROM json_each(?))`,
    ids,
  )
  return new Map(
    found.map(([userId, status_text, emoji_name, emoji_code, reaction_type]) => [
      userId,
      { status_text, emoji_name, emoji_code, reaction_type },
    ]),
  )
}

/** Returns the statuses of users from one id to another. */
export function readStatusesOfBlock(sql: Sql, block: number): Map<number, UserStatus> {
  const first = block * USERS_IN_A_BLOCK
  const rows = sql.about('user_status', nameOfBlock(first), () =>
    sql.all<UserStatus & { user_id: number }>(
      `SELECT user_id, ${COLUMNS} FROM user_status WHERE user_id BETWEEN ? AND ?`,
      first,
      first + USERS_IN_A_BLOCK - 1,
    ),
  )
  return new Map(rows.map(({ user_id, ...status }) => [user_id, status]))
}

/** Stores a user's status. An empty one has no row. */
export function putStatus(sql: WritableSql, userId: number, status: UserStatus): void {
  const isEmpty = status.status_text === '' && status.emoji_name === ''
  sql.changing('user_status', [nameOfBlock(userId)], () =>
    isEmpty
      ? sql.run(`DELETE FROM user_status WHERE user_id = ?`, userId)
      : sql.run(
          `INSERT OR REPLACE INTO user_status (user_id, ${COLUMNS}) VALUES (?, ?, ?, ?, ?)`,
          userId,
          status.status_text,
          status.emoji_name,
          status.emoji_code,
          status.reaction_type,
        ),
  )
}
