import { DAY } from '../../../core/time.ts'
import { realmUuid } from '../../../model/push/push-identity.ts'
import { isPending, settleToken } from '../../../model/push/register-token.ts'
import { type PushOutcome, settlePushDevice } from '../../../model/push/settle-devices.ts'
import { type ClientDevice, findClientDevice } from '../../../store/client-devices/client-device-rows.ts'
import {
  findPushDevice,
  type PushDevice,
  type PushErrorCode,
  statusOf,
} from '../../../store/push/push-device-rows.ts'
import { changeBy } from '../../jobs/change-by-job.ts'
import type { Runtime } from '../../runtime.ts'

/** Seconds for which an unreachable bouncer is retried: after them it takes the registration for too old. */
const GIVE_UP_SECONDS = DAY

/** Forwards a registration to the bouncer. Fails, to be run again, while there is no outcome. */
export async function registerPushDevice(runtime: Runtime, key: string): Promise<undefined> {
  const [userId, accountId] = key.split(':')
  const device = findPushDevice(runtime.sql, Number(userId), accountId!)
  if (!device || statusOf(device) !== 'pending') return
  const outcome = await outcomeOf(runtime, device)
  changeBy(runtime, (tx) => settlePushDevice(tx, device, outcome))
}

async function outcomeOf(runtime: Runtime, device: PushDevice): Promise<PushOutcome> {
  try {
    return await runtime.push.registerDevice(device, changeBy(runtime, realmUuid))
  } catch (error) {
    if (runtime.now() - device.requestedAt > GIVE_UP_SECONDS) return { errorCode: 'REQUEST_EXPIRED' }
    throw error
  }
}

/** Forwards the registration of a device's token. Fails, to be run again, while the bouncer has no answer. */
export async function registerToken(runtime: Runtime, key: string): Promise<undefined> {
  const device = findClientDevice(runtime.sql, Number(key))
  if (!device || !isPending(device)) return
  const error = await errorOf(runtime, device)
  changeBy(runtime, (tx) => settleToken(tx, device, error))
}

/** Returns why the bouncer has refused the token; undefined when it has accepted it. */
async function errorOf(runtime: Runtime, device: ClientDevice): Promise<PushErrorCode | undefined> {
  try {
    return await runtime.push.registerToken(device, changeBy(runtime, realmUuid))
  } catch (error) {
    if (runtime.now() - (device.pushTokenUpdatedAt ?? 0) > GIVE_UP_SECONDS) return 'REQUEST_EXPIRED'
    throw error
  }
}
