import type { Sql, WritableSql } from '../../core/sql.ts'
import type { NotifiableUser, NotificationCause } from '../notifications/causes.ts'
import { Rows } from '../select-rows.ts'

const PUSHES = new Rows<PendingPushRow>(
  'pending_push',
  'id message_id notifiable:json origin event_id entered_at attempts',
)

/**
 * How a notification reaches devices: readable, by their tokens; encrypted, in the older form for the public key of
 * an account (`sealed`), or with the key of a device (`keyed`); encrypted for a browser.
 */
export type PushWay = 'plain' | 'sealed' | 'keyed' | 'web'

/** A user to be notified of a message on devices. */
export interface NotifiableOnDevices extends NotifiableUser {
  /** The only way that is left, if the others are done. */
  readonly way?: PushWay
}

/** A message whose notifications are not all delivered yet. This file owns the table `pending_push`. */
export interface PendingPush {
  readonly id: number
  readonly messageId: number
  readonly notifiable: readonly NotifiableOnDevices[]
  /** Address of the organization for its readers: `https://chat.example.com`. */
  readonly origin: string
  /** Id of its event: a client that has acknowledged it has the message. */
  readonly eventId: number
  /** UNIX seconds. */
  readonly enteredAt: number
  /** Number of tries since the last progress. */
  readonly attempts: number
}

/** A user in JSON. */
export type PackedUser = [userId: number, cause: NotificationCause, groupId: number | null, way?: PushWay]

/** Number of messages that are kept while the bouncer is unreachable; beyond it the oldest are dropped. */
const MAX_WAITING = 1_000

/** Inserts a push that is due at once. Returns how many older ones were dropped to make room. */
export function insertPendingPush(sql: WritableSql, push: Omit<PendingPush, 'id' | 'attempts'>): number {
  // Ids are consecutive while anything is pending.
  const dropped = sql.runForAll(
    `DELETE FROM pending_push WHERE id <= (SELECT MAX(id) FROM pending_push) - ? RETURNING id`,
    MAX_WAITING,
  )
  const enteredAt = Math.floor(push.enteredAt)
  const row = { ...push, notifiable: push.notifiable.map(packed), enteredAt }
  PUSHES.insert(sql, row, { due_at: enteredAt })
  return dropped.length
}

/**
 * Leases the push that has been due longest, new ones before those that have failed. Until it is finished it
 * is due again at `until`, in case the object is evicted meanwhile. Times in UNIX seconds.
 */
export function leasePendingPush(sql: WritableSql, now: number, until: number): PendingPush | undefined {
  const row = PUSHES.returned(
    sql,
    `UPDATE pending_push SET due_at = ?2, attempts = attempts + 1
     WHERE id = (SELECT id FROM pending_push WHERE due_at <= ?1 ORDER BY attempts > 0, due_at, id LIMIT 1) RETURNING ${PUSHES.columns}`,
    Math.floor(now),
    Math.ceil(until),
  )
  return row && pushOf(row)
}

export function retryPendingPush(sql: WritableSql, id: number, dueAt: number): void {
  sql.run(`UPDATE pending_push SET due_at = ? WHERE id = ?`, Math.ceil(dueAt), id)
}

/** Returns the time at which the next push is due (UNIX seconds); undefined without one. */
export function nextPendingPushAt(sql: Sql): number | undefined {
  return sql.value(`SELECT MIN(due_at) AS due_at FROM pending_push`)
}

/** Stores a push for the users who are still to be notified; deletes it when there are none. */
export function keepPendingPush(
  sql: WritableSql,
  { id, attempts }: Pick<PendingPush, 'id' | 'attempts'>,
  notifiable: readonly NotifiableOnDevices[],
  dueAt: number,
): void {
  if (notifiable.length === 0) {
    deletePendingPush(sql, id)
    return
  }
  sql.run(
    `UPDATE pending_push SET notifiable = ?, due_at = ?, attempts = ? WHERE id = ?`,
    packUsers(notifiable),
    Math.ceil(dueAt),
    attempts,
    id,
  )
}

export function deletePendingPush(sql: WritableSql, id: number): void {
  sql.run(`DELETE FROM pending_push WHERE id = ?`, id)
}

export function deleteAllPendingPushes(sql: WritableSql): void {
  sql.run(`DELETE FROM pending_push`)
}

export function packUsers(notifiable: readonly NotifiableOnDevices[]): string {
  return JSON.stringify(notifiable.map(packed))
}

function packed({ userId, cause, groupId, way }: NotifiableOnDevices): PackedUser {
  return way ? [userId, cause, groupId, way] : [userId, cause, groupId]
}

export function unpackUsers(packed: readonly PackedUser[]): NotifiableOnDevices[] {
  return packed.map(([userId, cause, groupId, way]) => ({ userId, cause, groupId, way }))
}

type PendingPushRow = Omit<PendingPush, 'notifiable'> & { notifiable: PackedUser[] }

function pushOf(row: PendingPushRow): PendingPush {
  return { ...row, notifiable: unpackUsers(row.notifiable) }
}
