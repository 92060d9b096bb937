import { DAY } from '../../core/time.ts'
import { type PushOutcome, settlePushDevice } from '../../model/push/prune-devices.ts'
import { type ClientDevice, findClientDevice } from '../../store/client-devices/client-device-rows.ts'
import {
  findPushDevice,
  type PushDevice,
  type PushErrorCode,
  statusOf,
} from '../../store/push/push-device-rows.ts'
import { ServerRefusal } from './ask-bouncer.ts'
import { realmUuid } from './push-identity.ts'
import type { PushRuntime } from './push-runtime.ts'
import { endPause, pauseAfter, pausedUntil } from './refused-server.ts'
import { isPending, settleToken } from './register-token.ts'

/** Seconds for which an unreachable bouncer is retried: after them it takes the registration for too old. */
const GIVE_UP_SECONDS = DAY

/**
 * Forwards a registration to the bouncer. Fails, to be run again, while there is no outcome; returns when to ask again while the bouncer
 * refuses this server.
 */
export async function registerPushDevice(runtime: PushRuntime, key: string): Promise<number | undefined> {
  const [userId, accountId] = key.split(':')
  const device = findPushDevice(runtime.sql, Number(userId), accountId!)
  if (!device || statusOf(device) !== 'pending') return
  const until = pausedUntil(runtime)
  if (until !== undefined) return until
  const outcome = await outcomeOf(runtime, device)
  if (typeof outcome === 'number') return outcome
  runtime.change((tx) => settlePushDevice(tx, device, outcome))
}

/** Returns the outcome; where the bouncer refuses this server, when to ask again (UNIX seconds). */
async function outcomeOf(runtime: PushRuntime, device: PushDevice): Promise<PushOutcome | number> {
  try {
    const outcome = await runtime.push.registerDevice(device, runtime.change(realmUuid))
    endPause(runtime)
    return outcome
  } catch (error) {
    const again = error instanceof ServerRefusal ? pauseAfter(runtime, error) : undefined
    if (runtime.now() - device.requestedAt >= GIVE_UP_SECONDS) return { errorCode: 'REQUEST_EXPIRED' }
    if (again !== undefined) return again
    throw error
  }
}

/** Does the same for the registration of a device's token. */
export async function registerToken(runtime: PushRuntime, key: string): Promise<number | undefined> {
  const device = findClientDevice(runtime.sql, Number(key))
  if (!device || !isPending(device)) return
  const until = pausedUntil(runtime)
  if (until !== undefined) return until
  const error = await errorOf(runtime, device)
  if (typeof error === 'number') return error
  runtime.change((tx) => settleToken(tx, device, error))
}

/** Returns why the bouncer has refused the token, undefined when it has accepted it; or when to ask again, as `outcomeOf`. */
async function errorOf(
  runtime: PushRuntime,
  device: ClientDevice,
): Promise<PushErrorCode | number | undefined> {
  try {
    const error = await runtime.push.registerToken(device, runtime.change(realmUuid))
    endPause(runtime)
    return error
  } catch (error) {
    const again = error instanceof ServerRefusal ? pauseAfter(runtime, error) : undefined
    if (runtime.now() - (device.pushTokenUpdatedAt ?? 0) >= GIVE_UP_SECONDS) return 'REQUEST_EXPIRED'
    if (again !== undefined) return again
    throw error
  }
}
