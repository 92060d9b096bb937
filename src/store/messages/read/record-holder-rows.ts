import type { Sql } from '../../../core/sql.ts'
import type { Role } from '../../../rules/roles.ts'
import { receivedByMany } from '../../subscriptions/periods-of-many-rows.ts'
import { groupByArrival, type ReceivedMessage } from '../../subscriptions/received-range-rows.ts'
import { usersWithFlags } from '../flags/flag-rows.ts'

/** A user who has a record of a channel message. */
export interface RecordHolder {
  readonly userId: number
  readonly role: Role
  readonly isSubscribed: boolean
}

/**
 * Returns active users who have a record of the message and an open queue, by id: nobody else can get a
 * present event, so the list is no longer than the number of people online.
 */
export function listeningHolders(sql: Sql, channelId: number, message: ReceivedMessage): RecordHolder[] {
  return holdersAmong(sql, `SELECT user_id FROM queue`, channelId, message)
}

/**
 * Returns users as `listeningHolders` does, for any of many messages of a channel, and only those who are not subscribed if that is enough.
 * Listening users, and since when they listen, are read once however many messages there are.
 */
export function listeningHoldersOfAny(
  sql: Sql,
  channelId: number,
  { unsubscribedOnly }: { readonly unsubscribedOnly: boolean },
): (messages: readonly ReceivedMessage[]) => RecordHolder[] {
  const listeners = sql.all<{ id: number; role: Role; subscribed: number }>(
    `SELECT u.id, u.role, ifnull(s.is_active, 0) AS subscribed
       FROM (SELECT DISTINCT user_id FROM queue) q
       JOIN user u ON u.id = q.user_id AND u.is_active = 1
       LEFT JOIN subscription s ON s.channel_id = ?1 AND s.user_id = u.id
       WHERE NOT (?2 AND ifnull(s.is_active, 0)) ORDER BY u.id`,
    channelId,
    Number(unsubscribedOnly),
  )
  const receivedOf = receivedByMany(
    sql,
    channelId,
    listeners.map(({ id }) => id),
  )
  return (messages) => {
    const flagged = usersWithFlags(
      sql,
      messages.map(({ id }) => id),
    )
    const receivedBy = receivedOf(messages)
    return listeners
      .filter(({ id }) => flagged.has(id) || receivedBy(id).length > 0)
      .map(({ id, role, subscribed }) => ({ userId: id, role, isSubscribed: subscribed === 1 }))
  }
}

/** Returns the users among whom `recordHoldersAmong` may find any, each once: present and former subscribers, and users with a flag. */
export function possibleRecordHolders(sql: Sql, channelId: number, messageId: number): number[] {
  // In one row, since there may be ten thousand.
  return sql.list(
    `SELECT json_group_array(user_id) AS ids FROM (
       SELECT user_id FROM subscription WHERE channel_id = ?1
       UNION SELECT user_id FROM message_flag WHERE message_id = ?2)`,
    channelId,
    messageId,
  )
}

/** Returns those of the users who are active and have a record of the message, by id. */
export function recordHoldersAmong(
  sql: Sql,
  channelId: number,
  message: ReceivedMessage,
  userIds: readonly number[],
): RecordHolder[] {
  const candidates = `SELECT value AS user_id FROM json_each(?3)`
  return holdersAmong(sql, candidates, channelId, message, JSON.stringify(userIds))
}

/** @param candidates a query of user ids, which may use the channel as ?1, the message as ?2, and what follows from ?3 on */
function holdersAmong(
  sql: Sql,
  candidates: string,
  channelId: number,
  message: ReceivedMessage,
  ...params: readonly string[]
): RecordHolder[] {
  // Moved messages did not come when their ids say: periods alone do not decide who has them.
  const wasMovedHere = groupByArrival(sql, channelId, [message]).some(({ chain }) => chain)
  // In one row, since there may be ten thousand.
  const facts = sql.list<CandidateFacts>(
    `SELECT json_group_array(json_array(u.id, u.role, ifnull(s.is_active, 0),
         EXISTS (SELECT 1 FROM message_flag f WHERE f.user_id = u.id AND f.message_id = ?2),
         (s.is_active = 1 AND s.since_message < ?2)
           OR EXISTS (SELECT 1 FROM subscription_period p WHERE p.user_id = u.id AND p.channel_id = ?1
                        AND p.since_message < ?2 AND p.until_message >= ?2))) AS found
       FROM (SELECT DISTINCT user_id FROM (${candidates})) q
       JOIN user u ON u.id = q.user_id AND u.is_active = 1
       LEFT JOIN subscription s ON s.channel_id = ?1 AND s.user_id = u.id`,
    channelId,
    message.id,
    ...params,
  )
  const received =
    wasMovedHere &&
    receivedByMany(
      sql,
      channelId,
      facts.map(([id]) => id),
    )([message])
  const hasReceived = (id: number, wasThere: number | null) =>
    received ? received(id).length > 0 : wasThere === 1
  return facts
    .filter(([id, , , hasRow, wasThere]) => hasRow === 1 || hasReceived(id, wasThere))
    .map(([userId, role, subscribed]) => ({ userId, role, isSubscribed: subscribed === 1 }))
    .sort((a, b) => a.userId - b.userId)
}

type CandidateFacts = [id: number, role: Role, subscribed: number, hasRow: number, wasThere: number | null]
