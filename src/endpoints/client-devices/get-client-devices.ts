import * as v from 'valibot'
import { getClientDevices } from '../../domain/client-devices/get-client-devices.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { integer } from '../parameter-types.ts'

const kind = v.picklist(['fcm', 'apns'])

/** Lists the devices on which an app is logged in as the caller. Parley's own. */
export const getClientDevicesEndpoint = defineEndpoint({
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
  command: getClientDevices,
})
