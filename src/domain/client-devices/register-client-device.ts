import type { Command } from '../../core/command.ts'
import type { Caller } from '../caller.ts'
import { removeDevice } from '../push/settle-devices.ts'
import { announceDevice } from './announce-device.ts'
import { insertClientDevice, listClientDevices } from './client-device-rows.ts'

/**
 * Number of a user's devices. An uninstalled app never logs out, so without a limit the list would only grow.
 * The public API has none; this one is far above what people carry, and the oldest is removed, so that nobody
 * is kept from logging in on a new device.
 */
const MAX_DEVICES = 50

/** Registers a device on which the user has logged in. Each call is a new device. */
export const registerClientDevice: Command<Caller, object, void, { device_id: number }> = {
  apply(tx, { user }) {
    const known = listClientDevices(tx.sql, user.id)
    const oldest = known.slice(0, Math.max(0, known.length + 1 - MAX_DEVICES))
    for (const { id } of oldest) removeDevice(tx, user.id, id)
    const id = insertClientDevice(tx.sql, user.id)
    announceDevice(tx, user.id, 'add', id)
    return { device_id: id }
  },
}
