import type { Command } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { Caller } from '../caller.ts'
import { removeDevice } from '../push/settle-devices.ts'

export interface RemoveClientDeviceParams {
  readonly device_id: number
}

/**
 * Removes a device on which the user logs out. Somebody else's device is refused like an unknown one; the
 * text of the refusal is our own, since the public API has none.
 */
export const removeClientDevice: Command<Caller, RemoveClientDeviceParams, void, object> = {
  apply(tx, { user }, { device_id }) {
    if (!removeDevice(tx, user.id, device_id)) throw new BadRequestError('Device does not exist')
    return {}
  },
}
