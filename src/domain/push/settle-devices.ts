import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { deleteDeadRegistrations } from '../dead-letters/dead-letter-rows.ts'
import { deleteAllPushDevices, deletePushDevices, listActiveDevices } from './push-device-rows.ts'
import { recountDevices } from './push-listeners.ts'
import { deletePushToken, listPushTokens } from './push-token-rows.ts'
import { deleteShownPushes } from './shown-push-rows.ts'
import { deleteAllWebPush, deleteWebPush, listWebPush } from './web-push-rows.ts'

/** Devices that no longer exist, by the bouncer's answers. */
export interface GoneDevices {
  /** Tokens. */
  readonly fcm: readonly string[]
  readonly apns: readonly string[]
  /** The bouncer's ids of devices that get encrypted notifications. */
  readonly sealed: readonly string[]
  /** Ids of browsers' subscriptions. */
  readonly web: readonly number[]
}

export const NONE_GONE: GoneDevices = { fcm: [], apns: [], sealed: [], web: [] }

/**
 * Deletes a user's devices. It emits no event, since this level has none for that: a client that registers
 * its queue again misses its device, and registers that again.
 */
export function dropGoneDevices(
  tx: RealmTransaction,
  userId: number,
  { fcm, apns, sealed, web }: GoneDevices,
): void {
  if (fcm.length + apns.length + sealed.length + web.length === 0) return
  for (const token of fcm) deletePushToken(tx.sql, { userId, kind: 'fcm', token })
  for (const token of apns) deletePushToken(tx.sql, { userId, kind: 'apns', token })
  if (sealed.length > 0) deletePushDevices(tx.sql, userId, sealed)
  if (web.length > 0) deleteWebPush(tx.sql, userId, web)
  settleDevices(tx, userId)
}

/** Deletes all devices of a user, including those that the bouncer has not answered for yet. */
export function dropAllDevices(tx: RealmTransaction, userId: number): void {
  for (const { kind, token } of listPushTokens(tx.sql, userId)) {
    deletePushToken(tx.sql, { userId, kind, token })
  }
  deleteDeadRegistrations(tx.sql, userId, null)
  deleteAllPushDevices(tx.sql, userId)
  deleteAllWebPush(tx.sql, userId)
  settleDevices(tx, userId)
}

/** Follows a change of a user's devices: without devices no notification has to be removed. */
export function settleDevices(tx: RealmTransaction, userId: number): void {
  recountDevices(tx, userId)
  const { sql } = tx
  const left = [listPushTokens, listActiveDevices, listWebPush].some((list) => list(sql, userId).length > 0)
  if (!left) deleteShownPushes(sql, userId)
}
