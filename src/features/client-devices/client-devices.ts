import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { described, integer, jsonInteger } from '../../api/parameter-types.ts'
import { BadRequestError } from '../../core/errors.ts'
import { announceDevice } from '../../model/client-devices/announce-device.ts'
import { removeDevice } from '../../model/push/prune-devices.ts'
import { insertClientDevice, listClientDevices } from '../../store/client-devices/client-device-rows.ts'
import { listPushTokens } from '../../store/push/push-token-rows.ts'

const kind = v.picklist(['fcm', 'apns'])

/** Lists the devices with an app that is logged in as the caller, oldest first. Parley's own. */
export const getClientDevicesEndpoint = defineEndpoint({
  operation: 'get-client-devices',
  route: 'GET /client_devices',
  access: 'human',
  returns: v.object({
    devices: v.array(
      v.object({ device_id: integer, kind: v.nullable(kind), registered_at: v.nullable(integer) }),
    ),
    tokens: v.array(v.object({ kind, token: v.string() })),
  }),
  query: ({ sql }, { user }) => ({
    devices: listClientDevices(sql, user.id).map((device) => ({
      device_id: device.id,
      kind: device.pushTokenKind ?? device.pendingPushTokenKind,
      registered_at: device.pushTokenUpdatedAt,
    })),
    tokens: listPushTokens(sql, user.id).map(({ kind, token }) => ({ kind, token })),
  }),
})

/** Registers a mobile device on which the user has logged in. Each call is a new device. Source: the public API, level 468. */
export const registerClientDeviceEndpoint = defineEndpoint({
  operation: 'register-client-device',
  route: 'POST /register_client_device',
  access: 'human',
  returns: v.object({ device_id: integer }),
  apply(tx, { user }) {
    const known = listClientDevices(tx.sql, user.id)
    const oldest = known.slice(0, Math.max(0, known.length + 1 - MAX_DEVICES))
    for (const { id } of oldest) removeDevice(tx, user.id, id)
    const id = insertClientDevice(tx.sql, user.id)
    announceDevice(tx, user.id, 'add', id)
    return { device_id: id }
  },
  audit: 'own',
})

/**
 * Number of a user's devices. Uninstalled apps never log out, so the list would only grow. The public API has no limit; this one is far
 * above what people use, and the oldest is removed, so that users can always log in on a new device.
 */
const MAX_DEVICES = 50

/**
 * Removes a device on which the user logs out. Another user's device is refused like an unknown one; the refusal is our own, since the
 * public API has none.
 */
export const removeClientDeviceEndpoint = defineEndpoint({
  operation: 'remove-client-device',
  route: 'POST /remove_client_device',
  access: 'human',
  params: {
    device_id: described(jsonInteger, 'The id from the answer of POST /register_client_device.'),
  },
  apply(tx, { user }, { device_id }) {
    if (!removeDevice(tx, user.id, device_id)) throw new BadRequestError('Device does not exist')
  },
  audit: 'own',
})
