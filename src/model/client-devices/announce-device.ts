import { toUsers } from '../../core/audience.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredDeviceEvent } from '../../events/device.ts'
import type { ShownDevice } from './present-client-device.ts'

/** Notifies the user's own clients, including the device itself. `changes`: the fields of an update. */
export function announceDevice(
  tx: RealmTransaction,
  userId: number,
  op: StoredDeviceEvent['op'],
  deviceId: number,
  changes: Partial<ShownDevice> = {},
): void {
  const event: StoredDeviceEvent = { type: 'device', op, device_id: deviceId, ...changes }
  tx.emit(event, toUsers(userId))
}
