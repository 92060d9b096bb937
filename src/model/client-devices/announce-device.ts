import { toUsers } from '../../core/audience.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredDeviceEvent } from '../../events/device.ts'
import {
  type ClientDevice,
  type PushState,
  putPushState,
} from '../../store/client-devices/client-device-rows.ts'
import { presentClientDevice, type ShownDevice } from './present-client-device.ts'

/** Notifies the user's own clients, including the device itself. `changes`: the fields of an update. */
export function announceDevice(
  tx: RealmTransaction,
  userId: number,
  op: StoredDeviceEvent['op'],
  deviceId: number,
  changes: Partial<ShownDevice> = {},
): void {
  tx.emit({ type: 'device', op, device_id: deviceId, ...changes }, toUsers(userId))
}

/** Changes how notifications reach a device. Its user's clients get the visible changes, if there are any. */
export function changePushState(
  tx: RealmTransaction,
  device: ClientDevice,
  changes: Partial<PushState>,
): ClientDevice {
  const changed = { ...device, ...changes }
  putPushState(tx.sql, device.id, changed)
  const before: Readonly<Record<string, unknown>> = { ...presentClientDevice(device) }
  const seen = Object.entries(presentClientDevice(changed)).filter(([name, value]) => value !== before[name])
  if (seen.length > 0) announceDevice(tx, device.userId, 'update', device.id, Object.fromEntries(seen))
  return changed
}
