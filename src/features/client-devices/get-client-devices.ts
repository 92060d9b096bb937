import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { integer } from '../../api/parameter-types.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { listClientDevices } from '../../store/client-devices/client-device-rows.ts'
import { listPushTokens } from '../../store/push/push-token-rows.ts'

const kind = v.picklist(['fcm', 'apns'])

/** Lists the devices on which an app is logged in as the caller, oldest first. Parley's own. */
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
