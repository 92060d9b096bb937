import { log } from '../../core/log.ts'
import {
  deliverScheduledMessage,
  giveUpScheduledMessage,
} from '../../model/scheduled-messages/deliver-scheduled-message.ts'
import type { Runtime } from '../runtime.ts'
import { suspendableChange } from './change-by-job.ts'
import type { JobHandler, NextTime } from './job-handler.ts'
import { lacksRoom } from './when-there-is-room.ts'

/**
 * Sends one scheduled message: `key` is its id. The job is finished afterwards, whether the message was sent
 * or not, unless it is not due. Without room for it there is none for the notice that it failed either (`whenThereIsRoom`).
 */
export const deliverScheduled: JobHandler = (runtime, key) => {
  const giveUp = (error: unknown) => giveUpAfter(error, runtime, key)
  try {
    const result = suspendableChange(runtime, (tx) => deliverScheduledMessage(tx, Number(key)))
    return result instanceof Promise ? result.catch(giveUp) : result
  } catch (error) {
    return giveUp(error)
  }
}

function giveUpAfter(error: unknown, runtime: Runtime, key: string): NextTime | Promise<NextTime> {
  if (lacksRoom(error)) throw error
  log('error', 'A scheduled message could not be sent', {
    organization: runtime.realm.host,
    scheduled_message_id: Number(key),
    error,
  })
  return suspendableChange(runtime, (tx) => {
    giveUpScheduledMessage(tx, Number(key))
    return undefined
  })
}
