import type { Sql, WritableSql } from '../../core/sql.ts'
import { archiveKey, exportPrefix, listExports } from '../exports/export-rows.ts'
import { imageKey } from '../images/public-image.ts'
import { uploadKey } from '../uploads/upload-keys.ts'
import type { Reference } from './references.ts'
import { nextRange } from './verification-rows.ts'

interface WrongEntries {
  /** Entries with an event without an audience, or with text that is no JSON. */
  readonly broken: readonly number[]
  /** Entries before which one is missing. */
  readonly afterGap: readonly number[]
  /** The position at which the next call continues. */
  readonly next: number | undefined
}

/** Returns the faulty entries of the log above `id`. */
export function wrongLogEntries(sql: Sql, id: number, limit: number): WrongEntries {
  const { upTo, next } = nextRange(sql, 'log', id, limit)
  const broken = sql.values(
    `SELECT id FROM log WHERE id > ? AND id <= ? AND (
         (event IS NULL) <> (audience IS NULL) OR (event IS NULL AND writes IS NULL)
         OR NOT ifnull(json_valid(event), 1) OR NOT ifnull(json_valid(audience), 1)
         OR NOT ifnull(json_valid(writes), 1)
       )`,
    id,
    upTo,
  )
  const afterGap = sql.values(
    `SELECT id FROM (
         SELECT id, previous, LAG(id) OVER (ORDER BY id) AS before FROM log WHERE id >= ? AND id <= ?
       ) WHERE previous <> before`,
    id,
    upTo,
  )
  return { broken, afterGap, next }
}

/** Rows that one call reads, and further ones with the same key. */
const ROWS_AT_ONCE = 5_000

interface BrokenReference {
  readonly key: number | string
  readonly target: number
}

/** Returns rows after this key whose target is gone, and where the next call continues. */
export function brokenReferences(
  sql: Sql,
  { table, column, target, when = '1', key }: Reference,
  after: number,
): { broken: BrokenReference[]; next: number | undefined } {
  const { upTo, next } = nextRange(sql, table, after, ROWS_AT_ONCE + 1, key)
  const broken = sql.all<BrokenReference>(
    `SELECT ${key} AS key, ${column} AS target FROM ${table} AS referring
     WHERE ${key} > ?1 AND ${key} <= ?2 AND (${when})
       AND NOT EXISTS (SELECT 1 FROM ${target} AS there WHERE there.id = referring.${column})`,
    after,
    upTo,
  )
  return { broken, next }
}

export function deleteReferring(
  sql: WritableSql,
  { table, column, key }: Reference,
  broken: BrokenReference,
): void {
  sql.run(`DELETE FROM ${table} WHERE ${key} = ? AND ${column} = ?`, broken.key, broken.target)
}

/** Returns keys in R2, under a prefix, that rows name: without thumbnails and other forms of one picture. */
export function namedUploads(sql: Sql, prefix: string): Set<string> {
  const [from, to] = rangeOf(prefix.slice('user_uploads/'.length))
  const paths = sql.all<{ path: string }>(
    `SELECT path FROM attachment WHERE path >= ?1 AND path < ?2
     UNION ALL SELECT directory AS path FROM resumable_upload_chunk WHERE directory >= ?1 AND directory < ?2`,
    from,
    to,
  )
  return new Set(paths.map(({ path }) => uploadKey(path)))
}

export function namedImages(sql: Sql, prefix: string): Set<string> {
  const [from, to] = rangeOf(`/user_avatars/${prefix.slice('images/'.length)}`)
  const paths = sql.all<{ path: string }>(
    `SELECT avatar_path AS path FROM user WHERE avatar_path >= ?1 AND avatar_path < ?2
     UNION ALL SELECT path FROM custom_emoji WHERE path >= ?1 AND path < ?2
     UNION ALL SELECT value ->> '$.path' AS path FROM realm_setting
       WHERE name IN ('icon', 'logo', 'night_logo') AND value ->> '$.path' >= ?1 AND value ->> '$.path' < ?2`,
    from,
    to,
  )
  return new Set(paths.map(({ path }) => imageKey(path)))
}

/** Returns the existing archives, and prefixes of those that are being made. */
export function namedArchives(sql: Sql, realmId: number): { archives: Set<string>; beingMade: string[] } {
  const exports = listExports(sql)
  const finished = exports.filter(({ finishedAt, deletedAt }) => finishedAt !== null && deletedAt === null)
  const unfinished = exports.filter(({ progress }) => progress !== null)
  return {
    archives: new Set(finished.map((exported) => archiveKey(realmId, exported))),
    beingMade: unfinished.map((exported) => exportPrefix(realmId, exported)),
  }
}

/** Returns keys that are to be removed anyway, or not yet entered. */
export function keysInRemoval(sql: Sql, prefix: string): Set<string> {
  const rows = sql.all<{ key: string }>(
    `SELECT key FROM file_removal WHERE key >= ? AND key < ?`,
    ...rangeOf(prefix),
  )
  return new Set(rows.map(({ key }) => key.replace(/\/$/, '')))
}

function rangeOf(prefix: string): [from: string, to: string] {
  return [prefix, `${prefix}\u{10ffff}`]
}

export interface Participation {
  readonly conversationId: number
  readonly userId: number
}

/** Returns participants of conversations above this id who lack their row, and where the next call continues. */
export function missingParticipations(
  sql: Sql,
  above: number,
  limit: number,
): { missing: Participation[]; next: number | undefined } {
  const { upTo, next } = nextRange(sql, 'conversation', above, limit)
  const missing = sql.all<Participation>(
    `SELECT conversation.id AS conversationId, member.value AS userId
       FROM conversation, json_each('[' || conversation.members || ']') AS member
       WHERE conversation.id > ? AND conversation.id <= ? AND NOT EXISTS (
         SELECT 1 FROM conversation_member AS there
         WHERE there.user_id = member.value AND there.conversation_id = conversation.id
       )`,
    above,
    upTo,
  )
  return { missing, next }
}

/** Returns rows of accounts above this id about conversations of others, and where the next call continues. */
export function falseParticipations(
  sql: Sql,
  above: number,
  limit: number,
): { wrong: Participation[]; next: number | undefined } {
  const { upTo, next } = nextRange(sql, 'conversation_member', above, limit + 1, 'user_id')
  const wrong = sql.all<Participation>(
    `SELECT m.user_id AS userId, m.conversation_id AS conversationId FROM conversation_member AS m JOIN conversation AS c ON c.id = m.conversation_id
       WHERE m.user_id > ? AND m.user_id <= ? AND instr(',' || c.members || ',', ',' || m.user_id || ',') = 0`,
    above,
    upTo,
  )
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
  const { upTo, next } = nextRange(sql, 'message_index', above, limit)
  const misplaced = sql.values(
    `SELECT m.id FROM message_index AS m LEFT JOIN topic ON topic.id = m.topic_id
       WHERE m.id > ? AND m.id <= ? AND CASE m.recipient_id % 3
         WHEN 0 THEN NOT EXISTS (SELECT 1 FROM user WHERE user.id = m.recipient_id / 3)
         WHEN 1 THEN topic.channel_id IS NOT m.recipient_id / 3
         ELSE NOT EXISTS (SELECT 1 FROM conversation WHERE conversation.id = m.recipient_id / 3)
       END`,
    above,
    upTo,
  )
  return { misplaced, next }
}
