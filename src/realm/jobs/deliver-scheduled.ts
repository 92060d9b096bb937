import { log } from '../../core/log.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import {
  deliverScheduledMessage,
  giveUpScheduledMessage,
} from '../../domain/scheduled-messages/deliver-scheduled-message.ts'
import { findScheduledMessage } from '../../domain/scheduled-messages/scheduled-message-rows.ts'
import { afterCommit } from '../calls/after-commit.ts'
import { prepareText } from '../calls/prepare-call.ts'
import { transactOn } from '../calls/transaction.ts'
import type { Runtime } from '../runtime.ts'
import type { JobHandler } from './job-handler.ts'
import { lacksRoom } from './when-there-is-room.ts'

/**
 * Sends one scheduled message: `key` is its id. The job is finished afterwards, whether the message was sent
 * or not. Without room for it there is none for the notice that it failed either (`whenThereIsRoom`).
 */
export const deliverScheduled: JobHandler = (runtime, key) => {
  const text = findScheduledMessage(runtime.sql, Number(key))?.content ?? ''
  const preparing = prepareText(runtime, text)
  return preparing ? preparing.then(() => deliver(runtime, key)) : deliver(runtime, key)
}

function deliver(runtime: Runtime, key: string): undefined {
  const change = (make: (tx: RealmTransaction) => void) =>
    transactOn({
      ...runtime,
      now: runtime.now(),
      onCommit: (commit) => afterCommit(runtime, commit),
    })(make)
  try {
    change((tx) => deliverScheduledMessage(tx, Number(key)))
  } catch (error) {
    if (lacksRoom(error)) throw error
    log('error', 'A scheduled message could not be sent', {
      organization: runtime.realm.host,
      scheduled_message_id: Number(key),
      error,
    })
    change((tx) => giveUpScheduledMessage(tx, Number(key)))
  }
  return undefined
}
