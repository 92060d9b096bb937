import { log } from '../../core/log.ts'
import {
  deliverScheduledMessage,
  giveUpScheduledMessage,
} from '../../domain/scheduled-messages/deliver-scheduled-message.ts'
import { findScheduledMessage } from '../../domain/scheduled-messages/scheduled-message-rows.ts'
import type { Runtime } from '../runtime.ts'
import { changeBy } from './change-by-job.ts'
import type { JobHandler, NextTime } from './job-handler.ts'
import { prepareText } from './prepare-text.ts'
import { lacksRoom } from './when-there-is-room.ts'

/**
 * Sends one scheduled message: `key` is its id. The job is finished afterwards, whether the message was sent
 * or not, unless it is not due. Without room for it there is none for the notice that it failed either (`whenThereIsRoom`).
 */
export const deliverScheduled: JobHandler = (runtime, key) => {
  const text = findScheduledMessage(runtime.sql, Number(key))?.content ?? ''
  const preparing = prepareText(runtime, text)
  return preparing ? preparing.then(() => deliver(runtime, key)) : deliver(runtime, key)
}

function deliver(runtime: Runtime, key: string): NextTime {
  try {
    return changeBy(runtime, (tx) => deliverScheduledMessage(tx, Number(key)))
  } catch (error) {
    if (lacksRoom(error)) throw error
    log('error', 'A scheduled message could not be sent', {
      organization: runtime.realm.host,
      scheduled_message_id: Number(key),
      error,
    })
    changeBy(runtime, (tx) => giveUpScheduledMessage(tx, Number(key)))
    return undefined
  }
}
