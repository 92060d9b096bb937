import { toUsers } from '../../core/audience.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredPushDeviceEvent } from '../../events/push-device.ts'
import {
  findPushDevice,
  type PushDevice,
  type PushErrorCode,
  putPushOutcome,
} from '../../store/push/push-device-rows.ts'
import { settleDevices } from './settle-devices.ts'

/** The bouncer's answer to a registration. */
export type PushOutcome = { readonly deviceId: string } | { readonly errorCode: PushErrorCode }

/** Stores the outcome of a registration, and notifies the user; does nothing if it was repeated meanwhile. */
export function settlePushDevice(tx: RealmTransaction, device: PushDevice, outcome: PushOutcome): void {
  const present = findPushDevice(tx.sql, device.userId, device.accountId)
  if (present?.encryptedRegistration !== device.encryptedRegistration) return
  const deviceId = 'deviceId' in outcome ? outcome.deviceId : null
  const errorCode = 'errorCode' in outcome ? outcome.errorCode : null
  putPushOutcome(tx.sql, device, { deviceId, errorCode })
  settleDevices(tx, device.userId)
  const event: StoredPushDeviceEvent = {
    type: 'push_device',
    push_account_id: device.accountId,
    ...(errorCode === null ? { status: 'active' } : { status: 'failed', error_code: errorCode }),
  }
  tx.emit(event, toUsers(device.userId))
}
