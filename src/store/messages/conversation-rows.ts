import { IdSet } from '../../core/id-set.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'
import { channelsOf, subscribersOf } from '../subscriptions/subscriber-rows.ts'

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
  const id = sql.runForValue(`INSERT INTO conversation (members) VALUES (?) RETURNING id`, key)!
  sql.changing('conversation_member', members, () => {
    for (const userId of members) {
      sql.run(`INSERT INTO conversation_member (user_id, conversation_id) VALUES (?, ?)`, userId, id)
    }
  })
  return conversationOf({ id, members: key })
}

/** Number of ids in one row of JSON: some 800 kB; a row may have 2 MB. */
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
    const page = sql.list(
      `SELECT json_group_array(id) AS ids FROM (
         SELECT conversation_id AS id FROM conversation_member
         WHERE user_id = ? AND conversation_id > ? ORDER BY conversation_id LIMIT ${IDS_IN_ONE_ROW})`,
      userId,
      above,
    )
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
    ids,
  )
  return new Map(rows.map((row) => [row.id, conversationOf(row).members]))
}

/** Returns those of the conversations with ids between these two that a user takes part in. */
export function conversationsOfUserBetween(sql: Sql, userId: number, first: number, last: number): number[] {
  return sql.values(
    `SELECT conversation_id AS id FROM conversation_member
       WHERE user_id = ? AND conversation_id BETWEEN ? AND ?`,
    userId,
    first,
    last,
  )
}

/** Returns those of the conversations, given by their ids, that have three members at least. */
export function groupConversations(sql: Sql, ids: readonly number[]): number[] {
  // In one row, since there may be tens of thousands.
  return sql.list(
    `SELECT json_group_array(id) AS found FROM conversation
     WHERE id IN (SELECT value FROM json_each(?)) AND members LIKE '%,%,%'`,
    ids,
  )
}

function membersKey(members: readonly number[]): string {
  return [...new Set(members)].sort((a, b) => a - b).join(',')
}

function conversationOf({ id, members }: ConversationRow): Conversation {
  return { id, members: members.split(',').map(Number) }
}

/** Whether both are subscribed to one channel, or take part in one direct conversation. */
export function sharesConversation(sql: Sql, one: number, other: number): boolean {
  if (channelsOf(sql, one).and(channelsOf(sql, other)).size > 0) return true
  return sql.finds(
    `SELECT 1 FROM conversation_member a JOIN conversation_member b ON b.conversation_id = a.conversation_id
     WHERE a.user_id = ?1 AND b.user_id = ?2 LIMIT 1`,
    one,
    other,
  )
}

/** Returns the users who share a channel or a direct conversation with the user, closed accounts included. */
export function sharersOf(sql: Sql, userId: number): IdSet {
  return IdSet.union([
    partnersOf(sql, userId),
    ...Array.from(channelsOf(sql, userId), (id) => subscribersOf(sql, id)),
  ])
}

/** Returns the users who take part in a direct conversation of the user. */
function partnersOf(sql: Sql, userId: number): IdSet {
  const members = sql.value<string>(
    `SELECT group_concat(c.members) AS members FROM conversation_member m
     JOIN conversation c ON c.id = m.conversation_id WHERE m.user_id = ?`,
    userId,
  )
  return members === undefined ? IdSet.none : IdSet.of(members.split(',').map(Number))
}
