import { unqualifiedEmojiCode } from '../../core/emoji-code.ts'
import { fromJson, type JsonText } from '../../core/json.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'
import type { Emoji, SentEmoji } from '../emoji/emoji-lookup.ts'
import { UNQUALIFIED_REACTIONS } from '../schema/emoji-codes.ts'
import { rewriteFirst } from '../schema/rewrites.ts'
import { Rows } from '../select-rows.ts'

/** One user's reaction to a message. The table `reaction` is owned by this file. */
export interface Reaction extends Emoji {
  readonly messageId: number
  readonly userId: number
}

const REACTIONS = new Rows<Reaction>(
  'reaction',
  'message_id user_id emoji_name=emoji_name emoji_code=emoji_code reaction_type=reaction_type',
)

/** Returns the reactions of many messages, by message id, in their order. */
export function reactionsOf(sql: Sql, messageIds: readonly number[]): Map<number, Reaction[]> {
  // One row of JSON for each emoji, since a message may have ten thousand reactions: rows of their own take three times as long. All have
  // the name that the oldest has (reactions.ts).
  const rows = sql.all<Emoji & { message_id: number; given: JsonText<GivenReaction[]> }>(
    `SELECT message_id, reaction_type, emoji_code, min(emoji_name) AS emoji_name, json_group_array(json_array(seq, user_id)) AS given
     FROM reaction WHERE message_id IN (SELECT value FROM json_each(?)) GROUP BY message_id, reaction_type, emoji_code`,
    messageIds,
  )
  const found = new Map<number, [seq: number, Reaction][]>()
  for (const { message_id: messageId, given, ...stored } of rows) {
    const emoji = { ...stored, emoji_code: unqualifiedEmojiCode(stored.emoji_code) }
    const ofMessage = found.get(messageId) ?? []
    found.set(messageId, ofMessage)
    for (const [seq, userId] of fromJson(given)) ofMessage.push([seq, { messageId, userId, ...emoji }])
  }
  return new Map(
    Array.from(found, ([id, reactions]) => [
      id,
      reactions.sort(([one], [other]) => one - other).map(([, reaction]) => reaction),
    ]),
  )
}

/** Brings the codes of a message's reactions into their present form. Call it before looking for one of them or changing any. */
export function settleReactions(sql: WritableSql, messageId: number): void {
  rewriteFirst(sql, UNQUALIFIED_REACTIONS, 'message_id = ?', messageId)
}

type GivenReaction = [seq: number, userId: number]

/** Returns a user's reaction to the message with this emoji. */
export function findReaction(
  sql: Sql,
  messageId: number,
  userId: number,
  { emoji_code, reaction_type }: Pick<SentEmoji, 'emoji_code' | 'reaction_type'>,
): Reaction | undefined {
  return REACTIONS.find(
    sql,
    `WHERE message_id = ? AND reaction_type = ? AND emoji_code = ? AND user_id = ?`,
    messageId,
    reaction_type,
    emoji_code,
    userId,
  )
}

/** Returns the oldest reaction to the message with this emoji, whose name of it the others take. */
export function oldestReactionWith(
  sql: Sql,
  messageId: number,
  { emoji_code, reaction_type }: Pick<SentEmoji, 'emoji_code' | 'reaction_type'>,
): Reaction | undefined {
  return REACTIONS.find(
    sql,
    `WHERE message_id = ? AND reaction_type = ? AND emoji_code = ? ORDER BY seq LIMIT 1`,
    messageId,
    reaction_type,
    emoji_code,
  )
}

/** Returns the number of reactions of a message, and of those of one account. */
export function countReactions(
  sql: Sql,
  messageId: number,
  userId: number,
): { readonly all: number; readonly own: number } {
  return sql.first<{ all: number; own: number }>(
    `SELECT count(*) AS "all", count(*) FILTER (WHERE user_id = ?2) AS own FROM reaction WHERE message_id = ?1`,
    messageId,
    userId,
  )!
}

export function reactionCount(sql: Sql, messageId: number): number {
  return sql.value(`SELECT count(*) AS count FROM reaction WHERE message_id = ?`, messageId)!
}

export function hasReactions(sql: Sql, messageId: number): boolean {
  return sql.finds(`SELECT 1 FROM reaction WHERE message_id = ? LIMIT 1`, messageId)
}

export function insertReaction(sql: WritableSql, reaction: Reaction): void {
  sql.run(
    `INSERT INTO reaction (message_id, reaction_type, emoji_code, user_id, emoji_name, seq)
     VALUES (?1, ?2, ?3, ?4, ?5, (SELECT ifnull(MAX(seq), 0) + 1 FROM reaction WHERE message_id = ?1))`,
    reaction.messageId,
    reaction.reaction_type,
    reaction.emoji_code,
    reaction.userId,
    reaction.emoji_name,
  )
}

export function deleteReaction(sql: WritableSql, reaction: Reaction): void {
  sql.run(
    `DELETE FROM reaction WHERE message_id = ? AND reaction_type = ? AND emoji_code = ? AND user_id = ?`,
    reaction.messageId,
    reaction.reaction_type,
    reaction.emoji_code,
    reaction.userId,
  )
}

/** Deletes everybody's reactions to these messages. */
export function deleteReactionsOf(sql: WritableSql, messageIds: readonly number[]): void {
  sql.run(`DELETE FROM reaction WHERE message_id IN (SELECT value FROM json_each(?))`, messageIds)
}
