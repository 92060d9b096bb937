import { fromJson, type JsonText } from '../../core/json.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'

/** A direct conversation: the set of its participants, the sender included. */
export interface Conversation {
  readonly id: number
  /** Ascending. */
  readonly members: readonly number[]
}

interface ConversationRow {
  id: number
  members: string
}

export function findConversation(sql: Sql, members: readonly number[]): Conversation | undefined {
  const row = sql.first<ConversationRow>(
    `SELECT id, members FROM conversation WHERE members = ?`,
    membersKey(members),
  )
  return row && conversationOf(row)
}

export function conversationById(sql: Sql, id: number): Conversation | undefined {
  const row = sql.first<ConversationRow>(`SELECT id, members FROM conversation WHERE id = ?`, id)
  return row && conversationOf(row)
}

/** Returns the conversation between these people, made when it is new. */
export function openConversation(sql: WritableSql, members: readonly number[]): Conversation {
  const existing = findConversation(sql, members)
  if (existing) return existing
  const key = membersKey(members)
  const { id } = sql.runForFirst<{ id: number }>(
    `INSERT INTO conversation (members) VALUES (?) RETURNING id`,
    key,
  )!
  sql.changing('conversation_member', members, () => {
    for (const userId of members) {
      sql.run(`INSERT INTO conversation_member (user_id, conversation_id) VALUES (?, ?)`, userId, id)
    }
  })
  return conversationOf({ id, members: key })
}

/** Number of ids in one row of JSON: some 800 kB, of two million. */
const IDS_IN_ONE_ROW = 100_000

/** Returns the ids of the conversations that a user takes part in, ascending. Members are read of those that need them: there may be tens of thousands. */
export function conversationIdsOfUser(sql: Sql, userId: number): readonly number[] {
  return sql.kept(`conversations of ${userId}`, () =>
    sql.about('conversation_member', userId, () => readConversationIds(sql, userId)),
  )
}

function readConversationIds(sql: Sql, userId: number): readonly number[] {
  const found: number[] = []
  for (let above = 0; ; above = found.at(-1)!) {
    // In one row, since there may be tens of thousands.
    const { ids } = sql.first<{ ids: JsonText<number[]> }>(
      `SELECT json_group_array(id) AS ids FROM (
         SELECT conversation_id AS id FROM conversation_member
         WHERE user_id = ? AND conversation_id > ? ORDER BY conversation_id LIMIT ${IDS_IN_ONE_ROW})`,
      userId,
      above,
    )!
    const page = fromJson(ids)
    for (const id of page) found.push(id)
    if (page.length < IDS_IN_ONE_ROW) return found
  }
}

/** Returns the members of conversations, ascending, by the conversation's id. */
export function membersOfConversations(
  sql: Sql,
  ids: readonly number[],
): ReadonlyMap<number, readonly number[]> {
  if (ids.length === 0) return new Map()
  const rows = sql.all<ConversationRow>(
    `SELECT id, members FROM conversation WHERE id IN (SELECT value FROM json_each(?))`,
    JSON.stringify(ids),
  )
  return new Map(rows.map((row) => [row.id, conversationOf(row).members]))
}

/** Returns those of the conversations with ids between these two that a user takes part in. */
export function conversationsOfUserBetween(sql: Sql, userId: number, first: number, last: number): number[] {
  return sql
    .all<{ id: number }>(
      `SELECT conversation_id AS id FROM conversation_member
       WHERE user_id = ? AND conversation_id BETWEEN ? AND ?`,
      userId,
      first,
      last,
    )
    .map(({ id }) => id)
}

/** Returns those of the conversations, given by their ids, that have three members at least. */
export function groupConversations(sql: Sql, ids: readonly number[]): number[] {
  // In one row, since there may be tens of thousands.
  const { found } = sql.first<{ found: JsonText<number[]> }>(
    `SELECT json_group_array(id) AS found FROM conversation
     WHERE id IN (SELECT value FROM json_each(?)) AND members LIKE '%,%,%'`,
    JSON.stringify(ids),
  )!
  return fromJson(found)
}

function membersKey(members: readonly number[]): string {
  return [...new Set(members)].sort((a, b) => a - b).join(',')
}

function conversationOf({ id, members }: ConversationRow): Conversation {
  return { id, members: members.split(',').map(Number) }
}
