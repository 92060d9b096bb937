import type { Sql } from '../../core/sql.ts'
import type { PushCause } from './push-cause.ts'

/** How a notification reaches devices: readable, by their tokens, or encrypted, by their keys. */
export type PushWay = 'plain' | 'sealed'

/** Somebody who is to be told of a message. */
export interface Called {
  readonly userId: number
  readonly cause: PushCause
  /** The group that was mentioned, where that was the cause. */
  readonly groupId: number | null
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
}

interface PushCallRow {
  id: number
  message_id: number
  called: string
  origin: string
  event_id: number
  called_at: number
}

type PackedCalled = [userId: number, cause: PushCause, groupId: number | null, way?: PushWay]

/** Due at once. */
export function insertPushCall(sql: Sql, call: Omit<PushCall, 'id'>): void {
  sql.run(
    `INSERT INTO push_call (message_id, called, origin, event_id, called_at, due_at) VALUES (?, ?, ?, ?, ?, ?)`,
    call.messageId,
    pack(call.called),
    call.origin,
    call.eventId,
    Math.floor(call.calledAt),
    Math.floor(call.calledAt),
  )
}

/** The call that has been due for longest. */
export function nextDueCall(sql: Sql, now: number): PushCall | undefined {
  const row = sql.first<PushCallRow>(
    `SELECT * FROM push_call WHERE due_at <= ? ORDER BY due_at, id LIMIT 1`,
    Math.floor(now),
  )
  return row && callOf(row)
}

/** When the next call is due (UNIX seconds); undefined when there is none. */
export function nextPushCallAt(sql: Sql): number | undefined {
  return (
    sql.first<{ due_at: number | null }>(`SELECT MIN(due_at) AS due_at FROM push_call`)?.due_at ?? undefined
  )
}

/** Keeps it for those who are still to be told; it ends when there is nobody. */
export function keepPushCall(sql: Sql, id: number, called: readonly Called[], dueAt: number): void {
  if (called.length === 0) deletePushCall(sql, id)
  else sql.run(`UPDATE push_call SET called = ?, due_at = ? WHERE id = ?`, pack(called), Math.ceil(dueAt), id)
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
  }
}
