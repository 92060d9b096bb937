import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { integer } from '../../api/parameter-types.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { announceDevice } from '../../model/client-devices/announce-device.ts'
import { removeDevice } from '../../model/push/settle-devices.ts'
import { insertClientDevice, listClientDevices } from '../../store/client-devices/client-device-rows.ts'

/** Registers a mobile device on which a user has logged in. Source: the public API, level 468. */
export const registerClientDeviceEndpoint = defineEndpoint({
  operation: 'register-client-device',
  method: 'POST',
  path: '/register_client_device',
  access: 'human',
  params: {},
  returns: v.object({ device_id: integer }),
  command: { apply: registerClientDevice },
  audit: 'own',
})

/**
 * Number of a user's devices. An uninstalled app never logs out, so without a limit the list would only grow.
 * The public API has none; this one is far above what people carry, and the oldest is removed, so that nobody
 * is kept from logging in on a new device.
 */
const MAX_DEVICES = 50

/** Registers a device on which the user has logged in. Each call is a new device. */
function registerClientDevice(tx: RealmTransaction, { user }: Caller): { device_id: number } {
  const known = listClientDevices(tx.sql, user.id)
  const oldest = known.slice(0, Math.max(0, known.length + 1 - MAX_DEVICES))
  for (const { id } of oldest) removeDevice(tx, user.id, id)
  const id = insertClientDevice(tx.sql, user.id)
  announceDevice(tx, user.id, 'add', id)
  return { device_id: id }
}
