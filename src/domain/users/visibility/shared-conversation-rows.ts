import { fromJson, type JsonText } from '../../../core/json.ts'
import type { Sql } from '../../../core/sql.ts'
import { countChannelsOf } from '../../subscriptions/subscription-count-rows.ts'

/** Whether both are subscribed to one channel, or take part in one direct conversation. */
export function sharesConversation(sql: Sql, one: number, other: number): boolean {
  return (
    sql.first(
      `SELECT 1 FROM subscription a JOIN subscription b ON b.channel_id = a.channel_id
       WHERE a.user_id = ?1 AND b.user_id = ?2 AND a.is_active = 1 AND b.is_active = 1
       UNION ALL
       SELECT 1 FROM conversation_member a JOIN conversation_member b ON b.conversation_id = a.conversation_id
       WHERE a.user_id = ?1 AND b.user_id = ?2 LIMIT 1`,
      one,
      other,
    ) !== undefined
  )
}

/** Number of users up to which each is looked for by itself; and up to which their channels are read, and not the user's own. */
const FEW = 16
const SOME = 300

/** Rows of the user's channels above which the others' channels are read, each up to the first that both are in, if the others are not many more. */
const MANY_ROWS = 5_000
const OTHERS_OF_MANY_ROWS = 2_000
/** Number of channels of the user from which on theirs are read however many they are: there may be tens of thousands in the user's. */
const MANY_CHANNELS = 500

/** Returns those of the others with whom the user shares a channel or a direct conversation. */
export function sharersAmong(sql: Sql, userId: number, others: readonly number[]): Set<number> {
  if (others.length <= FEW) return new Set(others.filter((other) => sharesConversation(sql, userId, other)))
  const wanted = new Set(others)
  const found = [
    ...partnersOf(sql, userId),
    ...(isShorterByOthers(sql, userId, others)
      ? inSameChannelsAmong(sql, userId, others)
      : inSameChannels(sql, userId)),
  ]
  return new Set(found.filter((id) => wanted.has(id)))
}

/** Somebody in thousands of channels has hundreds of thousands of rows in them, but hardly anybody shares none. */
function isShorterByOthers(sql: Sql, userId: number, others: readonly number[]): boolean {
  if (others.length <= SOME) return true
  if (countChannelsOf(sql, userId, MANY_CHANNELS) >= MANY_CHANNELS) return true
  return others.length <= OTHERS_OF_MANY_ROWS && countRowsOfChannels(sql, userId, MANY_ROWS) === MANY_ROWS
}

/** Counts the subscriptions to all channels of the user, up to `limit`. */
function countRowsOfChannels(sql: Sql, userId: number, limit: number): number {
  const { count } = sql.first<{ count: number }>(
    `SELECT count(*) AS count FROM (
       SELECT 1 FROM subscription a CROSS JOIN subscription b ON b.channel_id = a.channel_id
       WHERE a.user_id = ? AND a.is_active = 1 LIMIT ?)`,
    userId,
    limit,
  )!
  return count
}

/** Returns whoever takes part in a direct conversation of the user. */
export function partnersOf(sql: Sql, userId: number): number[] {
  const { members } = sql.first<{ members: string | null }>(
    `SELECT group_concat(c.members) AS members FROM conversation_member m
     JOIN conversation c ON c.id = m.conversation_id WHERE m.user_id = ?`,
    userId,
  )!
  return members === null ? [] : members.split(',').map(Number)
}

/** Returns whoever is in a channel of the user: a row for each subscription to one. */
function inSameChannels(sql: Sql, userId: number): number[] {
  const { ids } = sql.first<{ ids: JsonText<number[]> }>(
    `SELECT json_group_array(DISTINCT b.user_id) AS ids FROM subscription a
     CROSS JOIN subscription b ON b.channel_id = a.channel_id
     WHERE a.user_id = ? AND a.is_active = 1 AND b.is_active = 1`,
    userId,
  )!
  return fromJson(ids)
}

/** Returns those of the others who are in a channel of the user: at most a row or two for each subscription of theirs. */
function inSameChannelsAmong(sql: Sql, userId: number, others: readonly number[]): number[] {
  const { ids } = sql.first<{ ids: JsonText<number[]> }>(
    `SELECT json_group_array(o.value) AS ids FROM json_each(?) o
     WHERE EXISTS (
       SELECT 1 FROM subscription b
       CROSS JOIN subscription a ON a.channel_id = b.channel_id AND a.user_id = ? AND a.is_active = 1
       WHERE b.user_id = o.value AND b.is_active = 1
     )`,
    JSON.stringify(others),
    userId,
  )!
  return fromJson(ids)
}
