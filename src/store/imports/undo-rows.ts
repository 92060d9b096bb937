import { ROWS_OF_TURN } from '../../core/budgets.ts'
import { fromJson, type JsonText } from '../../core/json.ts'
import { channelRecipientId } from '../../core/recipient-id.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'
import { ROLE_VALUES } from '../../rules/roles.ts'
import { removeFromSet, type SetName } from '../id-set-rows.ts'
import { MESSAGE_BIT } from '../messages/flags/message-bits.ts'
import { REFERENCES, type Reference } from '../verification/references.ts'

/** Deletes what an import has made from the tables of others, where nothing else ever deletes it: accounts, channels, groups. */

/** Tables whose rows go with the messages that they are about, and have no index by person. */
const OF_MESSAGES: ReadonlySet<string> = new Set(['reaction', 'submessage'])

/** Rows that name people and are not deleted with them. */
export const LASTING_NAMES: readonly Reference[] = REFERENCES.filter(
  ({ target, table, repair }) => target === 'user' && (repair === 'report' || OF_MESSAGES.has(table)),
)

/** Rows of which one turn looks whom they name, half of what it reads: it looks first where the next turn goes on. */
const ROWS_LOOKED_AT = ROWS_OF_TURN / 2

export function hasImportedBots(sql: Sql): boolean {
  return sql.first(`SELECT 1 FROM user WHERE bot_type IS NOT NULL AND is_imported = 1 LIMIT 1`) !== undefined
}

/** Returns the imported bots that the next rows after a key name, and where the next call continues. */
export function importedBotsNamedBy(
  sql: Sql,
  { table, column, key }: Reference,
  after: number,
): { readonly ids: number[]; readonly next: number | undefined } {
  const next = sql.first<{ key: number }>(
    `SELECT ${key} AS key FROM ${table} WHERE ${key} > ? ORDER BY ${key} LIMIT 1 OFFSET ${ROWS_LOOKED_AT}`,
    after,
  )?.key
  const bots = sql.all<{ id: number }>(
    `SELECT id FROM user WHERE bot_type IS NOT NULL AND is_imported = 1
       AND id IN (SELECT ${column} FROM ${table} WHERE ${key} > ? AND ${key} <= ?)`,
    after,
    next ?? Number.MAX_SAFE_INTEGER,
  )
  return { ids: bots.map(({ id }) => id), next }
}

/** Returns those of the accounts that own bots. */
export function ownersOfBots(sql: Sql, ids: readonly number[]): Set<number> {
  const owners = sql.all<{ id: number }>(
    `SELECT DISTINCT bot_owner_id AS id FROM user
     WHERE bot_type IS NOT NULL AND bot_owner_id IN (SELECT value FROM json_each(?))`,
    JSON.stringify(ids),
  )
  return new Set(owners.map(({ id }) => id))
}

/** Deletes the rows of other tables that name these things. */
function deleteNaming(sql: WritableSql, target: 'user' | 'user_group', ids: readonly number[]): void {
  for (const { table, column, repair, ...reference } of REFERENCES) {
    if (reference.target !== target || repair !== 'delete' || OF_MESSAGES.has(table)) continue
    sql.run(`DELETE FROM ${table} WHERE ${column} IN (SELECT value FROM json_each(?))`, JSON.stringify(ids))
  }
}

export function deleteAccounts(sql: WritableSql, ids: readonly number[]): void {
  const sets = setsWith(sql, ids)
  deleteConversationsOf(sql, ids)
  deleteNaming(sql, 'user', ids)
  sql.run(`DELETE FROM user WHERE id IN (SELECT value FROM json_each(?))`, JSON.stringify(ids))
  for (const name of sets) removeFromSet(sql, name, ids)
}

/** Returns the sets in which any of the accounts are. */
function setsWith(sql: Sql, ids: readonly number[]): SetName[] {
  const named = (query: string) => sql.all<{ id: number }>(query, JSON.stringify(ids)).map(({ id }) => id)
  const among = `IN (SELECT value FROM json_each(?))`
  return [
    'closed',
    'bots',
    ...ROLE_VALUES.map((role): SetName => `role ${role}`),
    ...named(`SELECT DISTINCT channel_id AS id FROM subscription WHERE user_id ${among}`).map(
      (id): SetName => `subscribers ${id}`,
    ),
    ...named(`SELECT DISTINCT group_id AS id FROM user_group_member WHERE user_id ${among}`).map(
      (id): SetName => `members ${id}`,
    ),
  ]
}

function deleteConversationsOf(sql: WritableSql, userIds: readonly number[]): void {
  const conversations = sql.all<{ id: number; members: string }>(
    `SELECT id, members FROM conversation WHERE id IN
       (SELECT conversation_id FROM conversation_member WHERE user_id IN (SELECT value FROM json_each(?)))`,
    JSON.stringify(userIds),
  )
  for (const { id, members } of conversations) {
    sql.run(
      `DELETE FROM conversation_member WHERE conversation_id = ? AND user_id IN (SELECT value FROM json_each(?))`,
      id,
      `[${members}]`,
    )
    sql.run(`DELETE FROM conversation WHERE id = ?`, id)
  }
}

/**
 * Deletes up to `limit` of the subscriptions of a channel, of people's topics in it, and of its own topics. Returns whether any of them may be
 * left.
 */
export function deletePartOfChannel(sql: WritableSql, channelId: number, limit: number): boolean {
  const subscribers = idsIn(
    sql,
    `SELECT user_id AS id FROM subscription WHERE channel_id = ? ORDER BY user_id`,
    [channelId, limit],
  )
  const among = `IN (SELECT value FROM json_each(?))`
  // A subscription outlives its periods, which have no index by channel.
  for (const table of ['subscription_period', 'subscription'])
    sql.run(
      `DELETE FROM ${table} WHERE channel_id = ? AND user_id ${among}`,
      channelId,
      JSON.stringify(subscribers),
    )
  removeFromSet(sql, `subscribers ${channelId}`, subscribers)
  const policies = sql.run(
    `DELETE FROM user_topic WHERE (user_id, channel_id, name_key) IN
       (SELECT user_id, channel_id, name_key FROM user_topic WHERE channel_id = ? LIMIT ?)`,
    channelId,
    limit,
  )
  const topics = idsIn(sql, `SELECT id FROM topic WHERE channel_id = ?`, [channelId, limit])
  sql.run(`DELETE FROM emptied_topic WHERE topic_id ${among}`, JSON.stringify(topics))
  sql.run(`DELETE FROM topic WHERE id ${among}`, JSON.stringify(topics))
  return [subscribers.length, policies, topics.length].some((count) => count >= limit)
}

function idsIn(sql: Sql, query: string, [of, limit]: readonly [of: number, limit: number]): number[] {
  return sql.all<{ id: number }>(`${query} LIMIT ?`, of, limit).map(({ id }) => id)
}

/** Deletes a channel without messages, of which nothing else is left. */
export function deleteChannelRow(sql: WritableSql, id: number): void {
  sql.run(`DELETE FROM id_set WHERE name = ?`, `subscribers ${id}` satisfies SetName)
  sql.run(`DELETE FROM channel WHERE id = ?`, id)
}

export function deleteGroupRow(sql: WritableSql, id: number): void {
  deleteNaming(sql, 'user_group', [id])
  sql.run(`DELETE FROM id_set WHERE name = ?`, `members ${id}` satisfies SetName)
  sql.run(`DELETE FROM user_group WHERE id = ?`, id)
}

export function deleteFolderRow(sql: WritableSql, id: number): void {
  sql.run(`DELETE FROM channel_folder WHERE id = ?`, id)
}

export function hasMessages(sql: Sql, channelId: number): boolean {
  return (
    sql.first(`SELECT 1 FROM message_index WHERE recipient_id = ? LIMIT 1`, channelRecipientId(channelId)) !==
    undefined
  )
}

/** Returns the newest message of a channel or conversation, unless an import has brought it. */
export function newestWritten(sql: Sql, recipientId: number): { readonly senderId: number } | undefined {
  const newest = sql.first<{ senderId: number; bits: number }>(
    `SELECT sender_id AS senderId, bits FROM message_index WHERE recipient_id = ? ORDER BY id DESC LIMIT 1`,
    recipientId,
  )
  return newest && (newest.bits & MESSAGE_BIT.isImported) === 0 ? newest : undefined
}

/** Returns those of the accounts that take part in a direct conversation with messages. */
export function conversationsWithMessages(sql: Sql, userIds: readonly number[]): Set<number> {
  const { ids } = sql.first<{ ids: JsonText<number[]> }>(
    `SELECT json_group_array(DISTINCT c.user_id) AS ids FROM conversation_member c
     WHERE c.user_id IN (SELECT value FROM json_each(?))
       AND EXISTS (SELECT 1 FROM message_index m WHERE m.recipient_id = c.conversation_id * 3 + 2)`,
    JSON.stringify(userIds),
  )!
  return new Set(fromJson(ids))
}

/** Whether anybody has a value of a profile field. */
export function hasValueOf(sql: Sql, fieldId: number): boolean {
  return (
    sql.first(
      `SELECT 1 FROM user WHERE json_extract(profile_data, '$."' || ? || '"') IS NOT NULL LIMIT 1`,
      fieldId,
    ) !== undefined
  )
}
