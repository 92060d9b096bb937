import type { RealmTransaction } from '../../core/realm-transaction.ts'
import {
  type ClientDevice,
  type PushState,
  putPushState,
} from '../../store/client-devices/client-device-rows.ts'
import { announceDevice } from './announce-device.ts'
import { presentClientDevice } from './present-client-device.ts'

/** Changes how notifications reach a device. Its user's clients get what they see of the change, and no event if it is nothing. */
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
