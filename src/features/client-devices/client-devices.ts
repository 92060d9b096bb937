import * as v from 'valibot'
import { defineEndpoint, type Endpoint } from '../../api/define-endpoint.ts'
import { integer, jsonInteger } from '../../api/parameter-types.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { announceDevice } from '../../model/client-devices/announce-device.ts'
import { removeDevice } from '../../model/push/settle-devices.ts'
import { insertClientDevice, listClientDevices } from '../../store/client-devices/client-device-rows.ts'
import { listPushTokens } from '../../store/push/push-token-rows.ts'

const kind = v.picklist(['fcm', 'apns'])

/** Lists the devices on which an app is logged in as the caller, oldest first. Parley's own. */
const getClientDevicesEndpoint = defineEndpoint({
  operation: 'get-client-devices',
  method: 'GET',
  path: '/client_devices',
  access: 'human',
  params: {},
  returns: v.object({
    devices: v.array(
      v.object({ device_id: integer, kind: v.nullable(kind), registered_at: v.nullable(integer) }),
    ),
    tokens: v.array(v.object({ kind, token: v.string() })),
  }),
  command: { reads: true, apply: getClientDevices },
})

type Kind = 'fcm' | 'apns'

interface ShownDevices {
  readonly devices: readonly {
    readonly device_id: number
    /** By which service notifications reach it; null while none does. */
    readonly kind: Kind | null
    /** When it last registered for notifications (UNIX seconds). */
    readonly registered_at: number | null
  }[]
  /** Devices of older apps, which are known by the token for their notifications alone. */
  readonly tokens: readonly { readonly kind: Kind; readonly token: string }[]
}

function getClientDevices({ sql }: RealmReads, { user }: Caller): ShownDevices {
  return {
    devices: listClientDevices(sql, user.id).map((device) => ({
      device_id: device.id,
      kind: device.pushTokenKind ?? device.pendingPushTokenKind,
      registered_at: device.pushTokenUpdatedAt,
    })),
    tokens: listPushTokens(sql, user.id).map(({ kind, token }) => ({ kind, token })),
  }
}

/** Registers a mobile device on which a user has logged in. Source: the public API, level 468. */
const registerClientDeviceEndpoint = defineEndpoint({
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

/**
 * Removes a device on which the user logs out. Another user's device is refused like an unknown one; the
 * text of the refusal is our own, since the public API has none.
 */
const removeClientDeviceEndpoint = defineEndpoint({
  operation: 'remove-client-device',
  method: 'POST',
  path: '/remove_client_device',
  access: 'human',
  params: {
    device_id: v.pipe(jsonInteger, v.description('The id from the answer of POST /register_client_device.')),
  },
  returns: v.object({}),
  command: { apply: removeClientDevice },
  audit: 'own',
})

interface RemoveClientDeviceParams {
  readonly device_id: number
}

function removeClientDevice(
  tx: RealmTransaction,
  { user }: Caller,
  { device_id }: RemoveClientDeviceParams,
): object {
  if (!removeDevice(tx, user.id, device_id)) throw new BadRequestError('Device does not exist')
  return {}
}

export const CLIENT_DEVICE_ENDPOINTS: readonly Endpoint[] = [
  getClientDevicesEndpoint,
  registerClientDeviceEndpoint,
  removeClientDeviceEndpoint,
]
