import { fromJson, type JsonText } from '../core/json.ts'
import type { Sql, WritableSql } from '../core/sql.ts'

/** Names a client may declare in `client_capabilities` at registration (docs/interface/register.md#what-is-asked-for). */
export const CLIENT_CAPABILITIES = [
  'notification_settings_null',
  'bulk_message_deletion',
  'user_avatar_url_field_optional',
  'stream_typing_notifications',
  'user_settings_object',
  'linkifier_url_template',
  'user_list_incomplete',
  'include_deactivated_groups',
  'archived_channels',
  'empty_topic_name',
  'simplified_presence_events',
  'individual_emoji_changes',
  'svc_names',
  'channel_pins',
] as const

export type ClientCapability = (typeof CLIENT_CAPABILITIES)[number]

/** Options of one client's queue, fixed at registration. */
export interface QueueOptions {
  readonly eventTypes: readonly string[] | null
  /** [operator, operand] pairs; filters `message` events only. */
  readonly narrow: readonly (readonly [string, string])[]
  readonly allPublicStreams: boolean
  readonly applyMarkdown: boolean
  readonly clientGravatar: boolean
  readonly slimPresence: boolean
  readonly includeSubscribers: boolean | 'partial'
  readonly capabilities: readonly ClientCapability[]
  /** The User-Agent at registration: old mobile clients do not know all types of profile fields. */
  readonly userAgent: string
  /** The level that the client declared at registration; absent if it declared none. */
  readonly level?: number
  /** Whether a browser's session registered it, rather than a key. */
  readonly isBrowser?: true
}

/** A queue is a cursor on the log (docs/decisions/design.md#the-log-is-the-only-stream). */
export interface EventQueue {
  readonly id: string
  readonly userId: number
  /** Events above this id belong to the queue. */
  readonly startEvent: number
  /** The cursor when it was last saved; the client's own `last_event_id` is the true one. */
  readonly ackedEvent: number
  /** Time of the last request when it was last saved, in UNIX seconds. */
  readonly seenAt: number
  /** Seconds without a request after which the queue ends. */
  readonly lifespan: number
  readonly options: QueueOptions
}

/** Inserts a queue, and returns the bytes of its options. */
export function insertQueue(sql: WritableSql, queue: EventQueue): number {
  const options = JSON.stringify(queue.options)
  sql.changing('queue', [queue.id], () =>
    sql.run(
      `INSERT INTO queue (id, user_id, start_event, acked_event, seen_at, lifespan, options)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      queue.id,
      queue.userId,
      queue.startEvent,
      queue.ackedEvent,
      Math.floor(queue.seenAt),
      queue.lifespan,
      options,
    ),
  )
  return Buffer.byteLength(options)
}

/** Finds a queue as it was saved. `QueueProgress` knows whether its client has come further since. */
export function findQueue(sql: Sql, id: string): EventQueue | undefined {
  return sql.kept(`queue ${id}`, () => {
    const row = sql.about('queue', id, () =>
      sql.first<Omit<EventQueue, 'options'> & { readonly options: JsonText<QueueOptions> }>(
        `SELECT ${SAVED}, user_id AS userId, start_event AS startEvent, options FROM queue WHERE id = ?`,
        id,
      ),
    )
    return row && { ...row, options: fromJson(row.options) }
  })
}

/** Returns the prefix of the ids of a user's queues, which keeps them next to each other. */
export function queueIdPrefix(userId: number): string {
  return `${userId}-`
}

/** Returns the owner of the queue with this id. */
export function userIdOfQueue(id: string): number {
  return Number(id.slice(0, id.indexOf('-')))
}

/** Lists a user's queues as last saved, the one seen longest ago first. `bytes`: of its options. `limit`: −1 for all. */
export function listQueuesOfUser(
  sql: Sql,
  userId: number,
  limit = -1,
): { id: string; seenAt: number; bytes: number }[] {
  return sql.all<{ id: string; seenAt: number; bytes: number }>(
    `SELECT id, seen_at AS seenAt, octet_length(options) AS bytes FROM queue
     WHERE id BETWEEN ?1 AND ?1 || 'g' ORDER BY seen_at, id LIMIT ?2`,
    queueIdPrefix(userId),
    limit,
  )
}

/** Returns the number of a user's queues, and the bytes of their options together. */
export function countQueuesOfUser(sql: Sql, userId: number): { count: number; bytes: number } {
  return sql.first<{ count: number; bytes: number }>(
    `SELECT count(*) AS count, ifnull(sum(octet_length(options)), 0) AS bytes FROM queue
     WHERE id BETWEEN ?1 AND ?1 || 'g'`,
    queueIdPrefix(userId),
  )!
}

/** Position of a queue when it was last saved, without its options. */
export type SavedQueue = Pick<EventQueue, 'id' | 'ackedEvent' | 'seenAt' | 'lifespan'>

const SAVED = `id, acked_event AS ackedEvent, seen_at AS seenAt, lifespan`

/** Lists the first `limit` queues whose ids come after `id`, in their order. */
export function listQueuesAfter(sql: Sql, id: string, limit: number): SavedQueue[] {
  return sql.all<SavedQueue>(`SELECT ${SAVED} FROM queue WHERE id > ? ORDER BY id LIMIT ?`, id, limit)
}

/** Lists the queues of a user that get messages. */
export function listMessageQueuesOfUser(sql: Sql, userId: number): SavedQueue[] {
  return sql.all<SavedQueue>(
    `SELECT ${SAVED} FROM queue
     WHERE id BETWEEN ?1 AND ?1 || 'g'
       AND (json_type(options, '$.eventTypes') = 'null'
         OR EXISTS (SELECT 1 FROM json_each(options, '$.eventTypes') WHERE value = 'message'))`,
    queueIdPrefix(userId),
  )
}

const GETS_MUTED_TOPICS = `(json_type(options, '$.eventTypes') = 'null'
  OR EXISTS (SELECT 1 FROM json_each(options, '$.eventTypes') WHERE value = 'muted_topics')
    AND NOT EXISTS (SELECT 1 FROM json_each(options, '$.eventTypes') WHERE value = 'user_topic'))`

/** Whether any queue of a user gets `muted_topics`. Queues that named the newer `user_topic` do not. */
export function hasQueueForMutedTopics(sql: Sql, userId: number): boolean {
  return sql.finds(
    `SELECT 1 FROM queue WHERE id BETWEEN ?1 AND ?1 || 'g' AND ${GETS_MUTED_TOPICS} LIMIT 1`,
    queueIdPrefix(userId),
  )
}

/** Returns the users with a queue that gets `muted_topics`, in the given order. */
export function usersWithQueueForMutedTopics(sql: Sql, userIds: readonly number[]): number[] {
  return sql.list(
    `SELECT json_group_array(u.value) AS ids FROM json_each(?) u WHERE EXISTS (
       SELECT 1 FROM queue WHERE id BETWEEN u.value || '-' AND u.value || '-g' AND ${GETS_MUTED_TOPICS})`,
    userIds,
  )
}

/** Returns the ids of the queues that do not get events of this type. Reads all queues. */
export function listQueuesWithout(sql: Sql, eventType: string): string[] {
  return sql.values<string>(
    `SELECT id FROM queue
       WHERE json_type(options, '$.eventTypes') <> 'null'
         AND NOT EXISTS (SELECT 1 FROM json_each(options, '$.eventTypes') WHERE value = ?)`,
    eventType,
  )
}

/** Returns the number of queues, and the bytes of their options together. Reads all of them. */
export function countQueues(sql: Sql): { count: number; bytes: number } {
  return sql.first<{ count: number; bytes: number }>(
    `SELECT count(*) AS count, ifnull(sum(octet_length(options)), 0) AS bytes FROM queue`,
  )!
}

/** Returns the user with the largest part of all queues, in number or in bytes of options. Reads all of them. */
export function largestQueueHolder(sql: Sql, by: 'count' | 'bytes'): number | undefined {
  const share = by === 'count' ? 'count(*)' : 'sum(octet_length(options))'
  return sql.value(`SELECT user_id FROM queue GROUP BY user_id ORDER BY ${share} DESC, user_id LIMIT 1`)
}

export function deleteQueue(sql: WritableSql, id: string): void {
  sql.changing('queue', [id], () => sql.run(`DELETE FROM queue WHERE id = ?`, id))
}

/** Deletes the queues of users, and returns their ids. Those of one user are found by their ids; for several, all queues are read. */
export function deleteQueuesOf(sql: WritableSql, userIds: readonly number[]): string[] {
  const [userId, ...others] = userIds
  if (userId === undefined) return []
  if (others.length === 0) {
    const statement = `DELETE FROM queue WHERE id BETWEEN ?1 AND ?1 || 'g' RETURNING id`
    return sql.runForValues<string>(statement, queueIdPrefix(userId))
  }
  return sql.runForValues<string>(
    `DELETE FROM queue WHERE user_id IN (SELECT value FROM json_each(?)) RETURNING id`,
    userIds,
  )
}

/** Returns those of the users who have a queue, ascending. Reads all queues. */
export function usersWithQueue(sql: Sql, userIds: readonly number[]): number[] {
  return sql.values(
    `SELECT DISTINCT user_id FROM queue WHERE user_id IN (SELECT value FROM json_each(?)) ORDER BY user_id`,
    userIds,
  )
}

export function saveQueueProgress(
  sql: WritableSql,
  id: string,
  progress: { acked: number; seenAt: number },
): void {
  const statement = `UPDATE queue SET acked_event = max(acked_event, ?2), seen_at = max(seen_at, ?3) WHERE id = ?1`
  // `findQueue` returns a queue as it was saved first.
  sql.changing('queue', [], () => sql.run(statement, id, progress.acked, Math.floor(progress.seenAt)))
}
