import { listClientDevices } from '../client-devices/client-device-rows.ts'
import type { Snapshot } from './snapshot.ts'

/** The fields of a device that has not set up pushes: at our feature level there is no registration for pushes that names one. */
const WITHOUT_PUSHES = {
  push_key_id: null,
  push_token_id: null,
  pending_push_token_id: null,
  push_token_last_updated_timestamp: null,
  push_registration_error_code: null,
}

/** Key of `device`: the caller's devices by their id. */
export const devicesSnapshot: Snapshot = ({ sql }, { user }) => ({
  devices: Object.fromEntries(listClientDevices(sql, user.id).map((id) => [id, WITHOUT_PUSHES])),
})
