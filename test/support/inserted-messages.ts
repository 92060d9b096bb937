import { BLANK_EVENT } from './blank-event.ts'
import { bodyDatabase } from './body-database.ts'
import type { TestRealm, TestUser } from './factories.ts'
import { changeRealm, inRealm } from './inside.ts'
import { channelRecipientId, openTopic } from './inside-rows.ts'

export interface EnteredMessages {
  readonly channelId: number
  readonly topic: string
  readonly count: number
  /** Number of characters of the source, and of the HTML. */
  readonly length: number
}

/** Stores thousands of messages at once, without events. Returns their ids. */
export async function insertMessages(
  realm: TestRealm,
  sender: TestUser,
  { channelId, topic, count, length }: EnteredMessages,
): Promise<number[]> {
  const first = await insertInIndex(realm, sender, { channelId, topic, count })
  // Deletes the bodies of deleted messages first, since their ids are reused here.
  await inRealm(realm, ({ parts }) => parts.projector.kick())
  await bodyDatabase
    .prepare(
      `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?2 - 1)
     INSERT INTO message_body (realm_id, message_id, version, content, rendered_content)
     SELECT ?1, ?3 + i, 0, printf('%-*s', ?4, CAST(?3 + i AS INTEGER)),
       printf('%-*s', ?4, '<p>' || CAST(?3 + i AS INTEGER)) FROM n`,
    )
    .bind(realm.id, count, first, length)
    .run()
  await bodyDatabase
    .prepare(
      `INSERT INTO message_search (rowid, text)
     SELECT (?1 << 32) + message_id, rtrim(content) FROM message_body
     WHERE realm_id = ?1 AND message_id >= CAST(?2 AS INTEGER)`,
    )
    .bind(realm.id, first)
    .run()
  return Array.from({ length: count }, (_, index) => first + index)
}

/** Stores messages in the index alone, without texts. Returns the first id; the others follow it. */
export function insertInIndex(
  realm: TestRealm,
  sender: TestUser,
  { channelId, topic, count }: Omit<EnteredMessages, 'length'>,
): Promise<number> {
  return changeRealm(realm, ({ sql, now }) => {
    const { first } = sql.first<{ first: number }>(
      `SELECT coalesce(MAX(id), 0) + 1 AS first FROM message_index`,
    )!
    sql.run(
      `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?1 - 1)
       INSERT INTO message_index (id, recipient_id, topic_id, sender_id, client_id, sent_at, bits)
       SELECT ?2 + i, ?3, ?4, ?5, 1, ?6, 0 FROM n`,
      count,
      first,
      channelRecipientId(channelId),
      openTopic(sql, channelId, topic).id,
      sender.id,
      Math.floor(now),
    )
    return first
  })
}

/** Makes topics, numbered from 1, with a message each, without events. Returns the first message; the others follow it. */
export function insertManyTopics(
  realm: TestRealm,
  sender: TestUser,
  { channelId, prefix, count }: { channelId: number; prefix: string; count: number },
): Promise<number> {
  return changeRealm(realm, ({ sql, now }) => {
    const { topic, message } = sql.first<{ topic: number; message: number }>(
      `SELECT (SELECT ifnull(MAX(id), 0) FROM topic) AS topic, (SELECT ifnull(MAX(id), 0) FROM message_index) AS message`,
    )!
    const numbers = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`
    sql.run(
      `${numbers} INSERT INTO topic (id, channel_id, name, name_key) SELECT ?1 + i, ?2, ?3 || i, lower(?3 || i) FROM n`,
      topic,
      channelId,
      prefix,
    )
    sql.run(
      `${numbers} INSERT INTO message_index (id, recipient_id, topic_id, sender_id, client_id, sent_at, bits)
       SELECT ?1 + i, ?2, ?3 + i, ?4, 1, ?5, 0 FROM n`,
      message,
      channelRecipientId(channelId),
      topic,
      sender.id,
      Math.floor(now),
    )
    return message + 1
  })
}

/** Stores messages that D1 does not have yet, each with the given number of characters of source and HTML. */
export async function insertUnprojected(
  realm: TestRealm,
  sender: TestUser,
  { channelId, topic, count, length }: EnteredMessages,
): Promise<number[]> {
  const first = await insertInIndex(realm, sender, { channelId, topic, count })
  const ids = Array.from({ length: count }, (_, index) => first + index)
  const inOneChange = Math.floor(500_000 / length)
  for (let at = 0; at < count; at += inOneChange) {
    await changeRealm(realm, (tx) => {
      for (const id of ids.slice(at, at + inOneChange)) {
        const [content, html] = [String(id).padEnd(length), `<p>${id}`.padEnd(length)]
        tx.writeToD1({ statement: 'insert-message-body', row: [id, content, html] })
      }
      tx.emit(BLANK_EVENT, { users: [] })
    })
  }
  return ids
}

/** Adds reactions of a user to a message, with a different emoji each. */
export function insertReactions(
  realm: TestRealm,
  messageId: number,
  count: number,
  userId: number,
): Promise<void> {
  return changeRealm(realm, ({ sql }) => {
    sql.run(
      `WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ?1)
       INSERT INTO reaction (message_id, reaction_type, emoji_code, user_id, emoji_name, seq)
       SELECT ?2, 'unicode_emoji', 'f' || n, ?3, 'octopus', n FROM number`,
      count,
      messageId,
      userId,
    )
    sql.run(`UPDATE message_index SET bits = bits | 16 WHERE id = ?`, messageId)
  })
}
