import type { ReadCommand } from '../../core/command.ts'
import type { Caller } from '../caller.ts'
import { listPushTokens } from '../push/push-token-rows.ts'
import { listClientDevices } from './client-device-rows.ts'

type Kind = 'fcm' | 'apns'

export interface ShownDevices {
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

/** Lists the devices on which an app is logged in as the caller, oldest first. Parley's own. */
export const getClientDevices: ReadCommand<Caller, unknown, void, ShownDevices> = {
  reads: true,
  apply: ({ sql }, { user }) => ({
    devices: listClientDevices(sql, user.id).map((device) => ({
      device_id: device.id,
      kind: device.pushTokenKind ?? device.pendingPushTokenKind,
      registered_at: device.pushTokenUpdatedAt,
    })),
    tokens: listPushTokens(sql, user.id).map(({ kind, token }) => ({ kind, token })),
  }),
}
