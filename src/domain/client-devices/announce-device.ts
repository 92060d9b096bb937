import { toUsers } from '../../core/audience.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredDeviceEvent } from '../../events/device.ts'

/** Notifies the user's own clients, including the device itself. */
export function announceDevice(
  tx: RealmTransaction,
  userId: number,
  op: StoredDeviceEvent['op'],
  deviceId: number,
): void {
  const event: StoredDeviceEvent = { type: 'device', op, device_id: deviceId }
  tx.emit(event, toUsers(userId))
}
