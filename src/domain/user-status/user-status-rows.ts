import { fromJson, type JsonText } from '../../core/json.ts'
import type { Sql, SqlValue, WritableSql } from '../../core/sql.ts'
import type { Emoji } from '../emoji/emoji-lookup.ts'
import { rangesOfUserIds } from '../users/user-rows.ts'

/** Somebody's status; '' for no text. Source: docs/interface/users.md#status. */
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
  reactionType: string,
]

/** Statuses as they were read: taking them apart costs as much again. */
export type PackedStatuses = readonly JsonText<StatusColumns[]>[]

/** Number of users from which on the statuses of all are read, by id: looking each up takes twice as long. */
export const MANY_STATUSES = 2_000

/** Statuses in one row of JSON: at the limits of texts and names some 500 kB, of two million. */
const STATUSES_IN_ONE_ROW = 1_000

/** Reads the statuses of users, of whom there may be thousands. Others may be there too where these are many. */
export function readStatusesOf(sql: Sql, ids: readonly number[]): PackedStatuses {
  const read = (condition: string, ...params: SqlValue[]) =>
    sql.first<{ found: JsonText<StatusColumns[]> }>(
      `SELECT json_group_array(json_array(user_id, ${COLUMNS})) AS found FROM user_status WHERE ${condition}`,
      ...params,
    )!.found
  if (ids.length >= MANY_STATUSES) {
    return rangesOfUserIds(sql, STATUSES_IN_ONE_ROW).map((number) => {
      const first = number * STATUSES_IN_ONE_ROW
      return read('user_id BETWEEN ? AND ?', first, first + STATUSES_IN_ONE_ROW - 1)
    })
  }
  const some = Array.from({ length: Math.ceil(ids.length / STATUSES_IN_ONE_ROW) }, (_, at) =>
    ids.slice(at * STATUSES_IN_ONE_ROW, (at + 1) * STATUSES_IN_ONE_ROW),
  )
  return some.map((part) => read('user_id IN (SELECT value FROM json_each(?))', JSON.stringify(part)))
}

/** Returns what `readStatusesOf` has read, by user id. */
export function unpackedStatuses(packed: PackedStatuses): [userId: number, UserStatus][] {
  return packed
    .flatMap((text) => fromJson(text))
    .map(([userId, status_text, emoji_name, emoji_code, reaction_type]) => [
      userId,
      { status_text, emoji_name, emoji_code, reaction_type },
    ])
}

/** Returns the statuses of users from one id to another. */
export function readStatusesBetween(sql: Sql, first: number, last: number): Map<number, UserStatus> {
  const rows = sql.all<UserStatus & { user_id: number }>(
    `SELECT user_id, ${COLUMNS} FROM user_status WHERE user_id BETWEEN ? AND ?`,
    first,
    last,
  )
  return new Map(rows.map(({ user_id, ...status }) => [user_id, status]))
}

/** Stores somebody's status. An empty one has no row. */
export function putStatus(sql: WritableSql, userId: number, status: UserStatus): void {
  if (status.status_text === '' && status.emoji_name === '') {
    sql.run(`DELETE FROM user_status WHERE user_id = ?`, userId)
    return
  }
  sql.run(
    `INSERT OR REPLACE INTO user_status (user_id, ${COLUMNS}) VALUES (?, ?, ?, ?, ?)`,
    userId,
    status.status_text,
    status.emoji_name,
    status.emoji_code,
    status.reaction_type,
  )
}
