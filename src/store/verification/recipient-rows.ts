import type { Sql, WritableSql } from '../../core/sql.ts'

export interface Participation {
  readonly conversationId: number
  readonly userId: number
}

interface ParticipationRow {
  conversation_id: number
  user_id: number
}

function participationOf({ conversation_id, user_id }: ParticipationRow): Participation {
  return { conversationId: conversation_id, userId: user_id }
}

/** Returns participants of conversations above this id who lack their row, and where the next call continues. */
export function missingParticipations(
  sql: Sql,
  above: number,
  limit: number,
): { missing: Participation[]; next: number | undefined } {
  const next = sql.first<{ id: number }>(
    `SELECT id FROM conversation WHERE id > ? ORDER BY id LIMIT 1 OFFSET ?`,
    above,
    limit - 1,
  )?.id
  const missing = sql
    .all<ParticipationRow>(
      `SELECT conversation.id AS conversation_id, member.value AS user_id
       FROM conversation, json_each('[' || conversation.members || ']') AS member
       WHERE conversation.id > ? AND conversation.id <= ? AND NOT EXISTS (
         SELECT 1 FROM conversation_member AS there
         WHERE there.user_id = member.value AND there.conversation_id = conversation.id
       )`,
      above,
      next ?? Number.MAX_SAFE_INTEGER,
    )
    .map(participationOf)
  return { missing, next }
}

/** Returns rows of accounts above this id about conversations of others, and where the next call continues. */
export function falseParticipations(
  sql: Sql,
  above: number,
  limit: number,
): { wrong: Participation[]; next: number | undefined } {
  const next = sql.first<{ user_id: number }>(
    `SELECT user_id FROM conversation_member WHERE user_id > ? ORDER BY user_id LIMIT 1 OFFSET ?`,
    above,
    limit,
  )?.user_id
  const wrong = sql
    .all<ParticipationRow>(
      `SELECT m.user_id, m.conversation_id FROM conversation_member AS m JOIN conversation AS c ON c.id = m.conversation_id
       WHERE m.user_id > ? AND m.user_id <= ? AND instr(',' || c.members || ',', ',' || m.user_id || ',') = 0`,
      above,
      next ?? Number.MAX_SAFE_INTEGER,
    )
    .map(participationOf)
  return { wrong, next }
}

export function addParticipation(sql: WritableSql, { conversationId, userId }: Participation): void {
  sql.run(`INSERT INTO conversation_member (user_id, conversation_id) VALUES (?, ?)`, userId, conversationId)
}

export function deleteParticipation(sql: WritableSql, { conversationId, userId }: Participation): void {
  sql.run(`DELETE FROM conversation_member WHERE user_id = ? AND conversation_id = ?`, userId, conversationId)
}

/**
 * Returns messages above this id that are nowhere: their user, channel or conversation is gone, or their
 * topic is another channel's. Says where the next call continues.
 */
export function misplacedMessages(
  sql: Sql,
  above: number,
  limit: number,
): { misplaced: number[]; next: number | undefined } {
  const next = sql.first<{ id: number }>(
    `SELECT id FROM message_index WHERE id > ? ORDER BY id LIMIT 1 OFFSET ?`,
    above,
    limit - 1,
  )?.id
  const misplaced = sql
    .all<{ id: number }>(
      `SELECT m.id FROM message_index AS m LEFT JOIN topic ON topic.id = m.topic_id
       WHERE m.id > ? AND m.id <= ? AND CASE m.recipient_id % 3
         WHEN 0 THEN NOT EXISTS (SELECT 1 FROM user WHERE user.id = m.recipient_id / 3)
         WHEN 1 THEN topic.channel_id IS NOT m.recipient_id / 3
         ELSE NOT EXISTS (SELECT 1 FROM conversation WHERE conversation.id = m.recipient_id / 3)
       END`,
      above,
      next ?? Number.MAX_SAFE_INTEGER,
    )
    .map(({ id }) => id)
  return { misplaced, next }
}
