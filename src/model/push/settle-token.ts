import type { RealmTransaction } from '../../core/realm-transaction.ts'
import {
  type ClientDevice,
  findClientDevice,
  listKeyedDevices,
} from '../../store/client-devices/client-device-rows.ts'
import type { PushErrorCode } from '../../store/push/push-device-rows.ts'
import { listPushTokens, setPushTokenState } from '../../store/push/push-token-rows.ts'
import { changePushState } from '../client-devices/change-push-state.ts'
import { DELIVER_PUSHES } from './enqueue-pushes.ts'
import { tokenIdOf } from './push-keys.ts'
import { isPending } from './register-token.ts'
import { settleDevices, WITHOUT_TOKEN } from './settle-devices.ts'

/** The bouncer no longer has to answer, and what was for it alone is not kept. */
const ANSWERED = { bouncerPublicKey: null, encryptedRegistration: null }

/**
 * Stores that the bouncer has accepted or refused the token of a device, and notifies the user; does nothing
 * if the device was removed meanwhile. A refused token stays the pending one, beside the reason.
 */
export function settleToken(
  tx: RealmTransaction,
  asked: ClientDevice,
  error: PushErrorCode | undefined,
): void {
  const device = findClientDevice(tx.sql, asked.id)
  if (!device || !isPending(device) || device.encryptedRegistration !== asked.encryptedRegistration) return
  if (error) {
    changePushState(tx, device, { ...ANSWERED, pushErrorCode: error })
    return
  }
  const tokenId = device.pendingPushTokenId!
  leaveTokenTo(tx, device, tokenId)
  changePushState(tx, device, {
    ...ANSWERED,
    pushTokenId: tokenId,
    pushTokenKind: device.pendingPushTokenKind,
    pendingPushTokenId: null,
    pendingPushTokenKind: null,
  })
  settleDevices(tx, device.userId)
}

/**
 * Ends what else the user has registered with the token: it is of one installation of an app, which would get
 * every notification twice, readable or encrypted for a key that it no longer has.
 */
function leaveTokenTo(tx: RealmTransaction, { id, userId }: ClientDevice, tokenId: string): void {
  for (const other of listKeyedDevices(tx.sql, userId)) {
    if (other.id !== id && other.pushTokenId === tokenId) changePushState(tx, other, WITHOUT_TOKEN)
  }
  const plain = listPushTokens(tx.sql, userId).filter(({ kind, token }) =>
    idsOf(kind, token).includes(tokenId),
  )
  for (const token of plain) setPushTokenState(tx.sql, token, 'gone')
  if (plain.length > 0) tx.schedule({ kind: DELIVER_PUSHES, key: '', dueAt: tx.now })
}

/** Returns the ids that a token may have. Those of iOS are hexadecimal, in either case. */
function idsOf(kind: 'fcm' | 'apns', token: string): string[] {
  const spellings = kind === 'apns' ? [token, token.toLowerCase(), token.toUpperCase()] : [token]
  return spellings.map(tokenIdOf)
}
