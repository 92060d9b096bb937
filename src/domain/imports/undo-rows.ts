import { fromJson, type JsonText } from '../../core/json.ts'
import { channelRecipientId } from '../../core/recipient-id.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'
import { ROLE_VALUES } from '../../permissions/roles.ts'
import { checkSet, type SetName } from '../id-set-rows.ts'
import { MESSAGE_BIT } from '../messages/flags/message-bits.ts'
import { REFERENCES } from '../verification/references.ts'

/** Deletes what an import has made from the tables of others, where nothing else ever deletes it: accounts, channels, groups. */

/** Tables whose rows go with the messages that they are about, and have no index by person. */
const OF_MESSAGES: ReadonlySet<string> = new Set(['reaction', 'submessage'])

/** Deletes the rows of other tables that name these things. */
function deleteNaming(
  sql: WritableSql,
  target: 'user' | 'channel' | 'user_group',
  ids: readonly number[],
): void {
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
  for (const name of sets) checkSet(sql, name, true)
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

/** Deletes a channel without messages, with its topics. */
export function deleteChannelRow(sql: WritableSql, id: number): void {
  deleteNaming(sql, 'channel', [id])
  sql.run(`DELETE FROM emptied_topic WHERE topic_id IN (SELECT id FROM topic WHERE channel_id = ?)`, id)
  sql.run(`DELETE FROM topic WHERE channel_id = ?`, id)
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
