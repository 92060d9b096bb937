import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { PushPayloads } from './present-push.ts'
import { pushUserUuid, realmUuid } from './push-identity.ts'
import { recountDevices } from './push-listeners.ts'
import { deletePushToken, listPushTokens, type PushTokenKind } from './push-token-rows.ts'
import { deleteShownPushes } from './shown-push-rows.ts'

/** One request to the bouncer: for all devices of one user. */
export interface PushNotice extends PushPayloads {
  readonly realm_uuid: string
  readonly user_uuid: string
  readonly user_id: number
  readonly android_devices: readonly string[]
  readonly apple_devices: readonly string[]
}

/** Tokens that the bouncer has said to be of no use any more. */
export interface DeadTokens {
  readonly fcm: readonly string[]
  readonly apns: readonly string[]
}

/** Undefined when none of the user's devices can be reached. */
export function noticeTo(
  tx: RealmTransaction,
  userId: number,
  present: () => PushPayloads,
): PushNotice | undefined {
  const known = listPushTokens(tx.sql, userId).filter(({ state }) => state === 'known')
  if (known.length === 0) return undefined
  const tokensOf = (kind: PushTokenKind) =>
    known.filter((token) => token.kind === kind).map(({ token }) => token)
  return {
    realm_uuid: realmUuid(tx),
    user_uuid: pushUserUuid(tx, userId),
    user_id: userId,
    ...present(),
    android_devices: tokensOf('fcm'),
    apple_devices: tokensOf('apns'),
  }
}

export function dropDeadTokens(tx: RealmTransaction, userId: number, dead: DeadTokens): void {
  if (dead.fcm.length + dead.apns.length === 0) return
  for (const token of dead.fcm) deletePushToken(tx.sql, { userId, kind: 'fcm', token })
  for (const token of dead.apns) deletePushToken(tx.sql, { userId, kind: 'apns', token })
  settleDevices(tx, userId)
}

/** After a user's devices have become more or fewer: where nothing is shown, nothing has to be taken away. */
export function settleDevices(tx: RealmTransaction, userId: number): void {
  recountDevices(tx, userId)
  if (listPushTokens(tx.sql, userId).length === 0) deleteShownPushes(tx.sql, userId)
}
