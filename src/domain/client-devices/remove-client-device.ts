import type { Command } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { Caller } from '../caller.ts'
import { announceDevice } from './announce-device.ts'
import { deleteClientDevice } from './client-device-rows.ts'

export interface RemoveClientDeviceParams {
  readonly device_id: number
}

/**
 * The user logs out on a device. Somebody else's is refused like one that is not there; the text of the
 * refusal is our own, since the public API names none.
 */
export const removeClientDevice: Command<Caller, RemoveClientDeviceParams, void, object> = {
  apply(tx, { user }, { device_id }) {
    if (!deleteClientDevice(tx.sql, user.id, device_id)) throw new BadRequestError('Device does not exist')
    announceDevice(tx, user.id, 'remove', device_id)
    return {}
  },
}
