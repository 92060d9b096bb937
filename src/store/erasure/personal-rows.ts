import type { Sql, WritableSql } from '../../core/sql.ts'
import { type Key, type Keyed, pageAfter } from '../key-pages.ts'
import { HOW_ERASED } from './how-erased.ts'

/** Numbers of removed rows and files, by what they were. */
export type Removed = Readonly<Record<string, number>>

/** The tables whose rows an erasure deletes, in order, with the column that has the account's id. */
export const TABLES_OF_ROWS: readonly { readonly table: string; readonly column: string }[] = Object.entries(
  HOW_ERASED,
).flatMap(([table, how]) => ('rows' in how ? [{ table, column: how.rows }] : []))

/** Deletes up to `limit` of an account's rows in one of these tables. Returns how many. */
export function deleteRowsOf(
  sql: WritableSql,
  { table, column }: (typeof TABLES_OF_ROWS)[number],
  userId: number,
  limit: number,
): number {
  if (table === 'scheduled_message')
    sql.run(
      `DELETE FROM attachment_scheduled WHERE scheduled_id IN (SELECT id FROM scheduled_message WHERE user_id = ?)`,
      userId,
    )
  const keys = sql.values<string>(`SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk`, table)
  const key = keys.join(', ')
  return sql.runForValues(
    `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ${column} = ? LIMIT ?) RETURNING 1`,
    userId,
    limit,
  ).length
}

/** Deletes the rows, few of each table, that name a person by an address rather than by the account's id. */
export function deleteRowsNaming(sql: WritableSql, address: string): Removed {
  const deletions: readonly (readonly [table: string, condition: string])[] = [
    ['email', `lower(recipient) = lower(?1)`],
    ['invitation', `lower(email) = lower(?1)`],
    ['sign_up', `address = lower(?1)`],
    ['login_failure', `instr(lower(username), lower(?1)) > 0`],
    ['mail_request', `instr(lower(bucket), lower(?1)) > 0`],
    ['dead_letter', `instr(lower(description || payload), lower(?1)) > 0`],
    ['webhook_delivery', `instr(lower(ifnull(event, '') || answer), lower(?1)) > 0`],
    ['realm_import_choice', `address = lower(?1)`],
  ]
  return Object.fromEntries(
    deletions.map(([table, condition]) => [
      table,
      sql.runForValues(`DELETE FROM ${table} WHERE ${condition} RETURNING 1`, address).length,
    ]),
  )
}

/** Ids of an account's uploads that have not ended, `limit` at most. */
export function uploadsUnderWay(sql: Sql, userId: number, limit: number): readonly string[] {
  return sql.values(`SELECT id FROM resumable_upload WHERE owner_id = ? LIMIT ?`, userId, limit)
}

/** Returns direct conversations of an account with itself and the server's own bots alone, above an id. */
export function conversationsWithNobody(sql: Sql, userId: number, above: number, limit: number): number[] {
  return sql.values(
    `SELECT conversation_id FROM conversation_member m WHERE user_id = ?1 AND conversation_id > ?2 AND NOT EXISTS (
       SELECT 1 FROM conversation c, json_each('[' || c.members || ']') other JOIN user u ON u.id = other.value
       WHERE c.id = m.conversation_id AND u.id <> ?1 AND u.is_system_bot = 0)
     ORDER BY conversation_id LIMIT ?3`,
    userId,
    above,
    limit,
  )
}

/** A part of a table that was looked through. */
interface Part<Found> {
  readonly found: Found
  /** The key of the last row; undefined at the table's end. */
  readonly last: Key | undefined
}

const REACTIONS: Keyed = {
  table: 'reaction',
  keys: ['message_id', 'reaction_type', 'emoji_code', 'user_id'],
}

/** Returns messages with reactions of an account, among the next `limit` reactions of all. */
export function messagesReactedTo(
  sql: Sql,
  userId: number,
  after: Key | null,
  limit: number,
): Part<readonly number[]> {
  const { where, params, last } = pageAfter(sql, REACTIONS, after, limit)
  const found = sql.values(
    `SELECT DISTINCT message_id FROM reaction WHERE ${where} AND user_id = ? ORDER BY message_id`,
    ...params,
    userId,
  )
  return { found, last }
}

/** Deletes an account's entries to polls and lists of others, among the next `limit` of all. Returns how many. */
export function deleteVotes(
  sql: WritableSql,
  userId: number,
  after: Key | null,
  limit: number,
): Part<number> {
  const { where, params, last } = pageAfter(sql, { table: 'submessage', keys: ['id'] }, after, limit)
  const found = sql.runForValues(
    `DELETE FROM submessage WHERE ${where} AND sender_id = ? AND NOT EXISTS (
       SELECT 1 FROM message_index m WHERE m.id = submessage.message_id AND m.sender_id = submessage.sender_id)
     RETURNING 1`,
    ...params,
    userId,
  ).length
  return { found, last }
}

/** Deletes former names of an account that imports have noted for being undone, among the next `limit` changes. Returns how many. */
export function deleteImportedNames(
  sql: WritableSql,
  userId: number,
  after: Key | null,
  limit: number,
): Part<number> {
  const changes: Keyed = { table: 'import_change', keys: ['import_id', 'position'] }
  const { where, params, last } = pageAfter(sql, changes, after, limit)
  const found = sql.runForValues(
    `DELETE FROM import_change WHERE ${where} AND change ->> '$.kind' = 'user name' AND change ->> '$.id' = ? RETURNING 1`,
    ...params,
    userId,
  ).length
  return { found, last }
}

/** Deletes the network addresses from which an account did what the audit log has, `limit` at most. Returns how many. */
export function deleteAddressesInLog(sql: WritableSql, userId: number, limit: number): number {
  return sql.runForValues(
    `UPDATE audit_entry SET address = NULL WHERE id IN (
       SELECT id FROM audit_entry WHERE actor_id = ? AND address IS NOT NULL LIMIT ?) RETURNING 1`,
    userId,
    limit,
  ).length
}
