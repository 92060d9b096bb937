import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { jsonInteger } from '../../api/parameter-types.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { removeDevice } from '../../model/push/settle-devices.ts'

/**
 * Removes a device on which the user logs out. Another user's device is refused like an unknown one; the
 * text of the refusal is our own, since the public API has none.
 */
export const removeClientDeviceEndpoint = defineEndpoint({
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
