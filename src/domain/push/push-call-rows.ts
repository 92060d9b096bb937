import type { Sql } from '../../core/sql.ts'
import type { NotificationCause } from '../notifications/notification-cause.ts'
import type { CalledUser } from '../notifications/who-is-called.ts'

/** How a notification reaches devices: readable, by their tokens, or encrypted, by their keys. */
export type PushWay = 'plain' | 'sealed' | 'web'

/** Somebody who is to be told of a message on devices. */
export interface Called extends CalledUser {
  /** In this way alone: in the other one they have been told. */
  readonly way?: PushWay
}

/** A message that people with devices are still to be told of. The table `push_call` is owned by this file. */
export interface PushCall {
  readonly id: number
  readonly messageId: number
  readonly called: readonly Called[]
  /** `https://chat.example.com`: where its readers have the organization. */
  readonly origin: string
  /** A client that has acknowledged this event has the message. */
  readonly eventId: number
  /** UNIX seconds. */
  readonly calledAt: number
  /** How often it was begun since anything worked. */
  readonly attempts: number
}

interface PushCallRow {
  id: number
  message_id: number
  called: string
  origin: string
  event_id: number
  called_at: number
  attempts: number
}

type PackedCalled = [userId: number, cause: NotificationCause, groupId: number | null, way?: PushWay]

/** Messages that wait while the bouncer is away: of more the oldest are told of no more. */
const MOST_WAITING = 1_000

/** Due at once. Answers how many of those that wait have made room for it. */
export function insertPushCall(sql: Sql, call: Omit<PushCall, 'id' | 'attempts'>): number {
  // Ids follow one another while anything waits.
  const dropped = sql.all(
    `DELETE FROM push_call WHERE id <= (SELECT MAX(id) FROM push_call) - ? RETURNING id`,
    MOST_WAITING,
  )
  sql.run(
    `INSERT INTO push_call (message_id, called, origin, event_id, called_at, due_at) VALUES (?, ?, ?, ?, ?, ?)`,
    call.messageId,
    pack(call.called),
    call.origin,
    call.eventId,
    Math.floor(call.calledAt),
    Math.floor(call.calledAt),
  )
  return dropped.length
}

/**
 * Begins the call that has been due for longest, new ones before those that have failed: until it is finished it is due
 * again at `until`, in case that the object dies over it. Times in UNIX seconds.
 */
export function leasePushCall(sql: Sql, now: number, until: number): PushCall | undefined {
  const row = sql.first<PushCallRow>(
    `UPDATE push_call SET due_at = ?2, attempts = attempts + 1
     WHERE id = (SELECT id FROM push_call WHERE due_at <= ?1 ORDER BY attempts > 0, due_at, id LIMIT 1) RETURNING *`,
    Math.floor(now),
    Math.ceil(until),
  )
  return row && callOf(row)
}

export function postponePushCall(sql: Sql, id: number, dueAt: number): void {
  sql.run(`UPDATE push_call SET due_at = ? WHERE id = ?`, Math.ceil(dueAt), id)
}

/** When the next call is due (UNIX seconds); undefined when there is none. */
export function nextPushCallAt(sql: Sql): number | undefined {
  return (
    sql.first<{ due_at: number | null }>(`SELECT MIN(due_at) AS due_at FROM push_call`)?.due_at ?? undefined
  )
}

/** Keeps it for those who are still to be told; it ends when there is nobody. */
export function keepPushCall(
  sql: Sql,
  { id, attempts }: Pick<PushCall, 'id' | 'attempts'>,
  called: readonly Called[],
  dueAt: number,
): void {
  if (called.length === 0) {
    deletePushCall(sql, id)
    return
  }
  sql.run(
    `UPDATE push_call SET called = ?, due_at = ?, attempts = ? WHERE id = ?`,
    pack(called),
    Math.ceil(dueAt),
    attempts,
    id,
  )
}

export function deletePushCall(sql: Sql, id: number): void {
  sql.run(`DELETE FROM push_call WHERE id = ?`, id)
}

export function deleteAllPushCalls(sql: Sql): void {
  sql.run(`DELETE FROM push_call`)
}

function pack(called: readonly Called[]): string {
  return JSON.stringify(
    called.map(
      ({ userId, cause, groupId, way }): PackedCalled =>
        way ? [userId, cause, groupId, way] : [userId, cause, groupId],
    ),
  )
}

function callOf(row: PushCallRow): PushCall {
  return {
    id: row.id,
    messageId: row.message_id,
    called: (JSON.parse(row.called) as PackedCalled[]).map(([userId, cause, groupId, way]) => ({
      userId,
      cause,
      groupId,
      way,
    })),
    origin: row.origin,
    eventId: row.event_id,
    calledAt: row.called_at,
    attempts: row.attempts,
  }
}
