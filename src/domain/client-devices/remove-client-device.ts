import type { Command } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { Caller } from '../caller.ts'
import { announceDevice } from './announce-device.ts'
import { deleteClientDevice } from './client-device-rows.ts'

export interface RemoveClientDeviceParams {
  readonly device_id: number
}

/**
 * Removes a device on which the user logs out. Somebody else's device is refused like an unknown one; the
 * text of the refusal is our own, since the public API has none.
 */
export const removeClientDevice: Command<Caller, RemoveClientDeviceParams, void, object> = {
  apply(tx, { user }, { device_id }) {
    if (!deleteClientDevice(tx.sql, user.id, device_id)) throw new BadRequestError('Device does not exist')
    announceDevice(tx, user.id, 'remove', device_id)
    return {}
  },
}
