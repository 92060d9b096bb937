import { isRefusal } from '../../core/errors.ts'
import { log } from '../../core/log.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { MINUTE } from '../../core/time.ts'
import { escapeName } from '../../markdown/mention-text.ts'
import { actorOf } from '../../model/caller.ts'
import { sendNotice } from '../../model/messages/send/send-notice.ts'
import { deliverMessage } from '../../model/messages/send/store-message.ts'
import { composeScheduled } from '../../model/scheduled-messages/compose-scheduled.ts'
import { emitScheduledRemove, emitScheduledUpdate } from '../../model/scheduled-messages/emit-scheduled.ts'
import { claimForScheduled } from '../../model/uploads/claim-attachments.ts'
import { isRealmDeactivated } from '../../store/realm/realm-setting-rows.ts'
import {
  findScheduledMessage,
  markScheduledMessageFailed,
  markScheduledMessageSent,
  type ScheduledMessage,
} from '../../store/scheduled-messages/scheduled-message-rows.ts'
import { findUser, type User } from '../../store/users/user-rows.ts'
import type { Runtime } from '../runtime.ts'
import { type JobHandler, lacksRoom, type NextTime, suspendableChange } from './change-by-job.ts'

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

/**
 * Lateness in seconds from which a message is no longer sent, so that its author decides
 * (docs/interface/conventions.md#limits).
 */
const LATENESS_CUTOFF = 10 * MINUTE

const TOO_LATE = 'Message could not be sent at the scheduled time.'
const BROKEN = 'Internal server error'

/**
 * Sends a scheduled message that is due, or notifies its author of the reason why not. Does nothing for one
 * that is not pending, since the job may be repeated, or not due, since the clock may have been set back; returns when that is due (UNIX
 * seconds). Source: docs/interface/personal.md#delivery.
 */
function deliverScheduledMessage(tx: RealmTransaction, id: number): number | undefined {
  const message = pendingMessage(tx, id)
  if (!message) return undefined
  if (message.dueAt > tx.now) return message.dueAt
  const author = findUser(tx.sql, message.userId)
  if (!author?.isActive || isRealmDeactivated(tx.sql)) {
    markScheduledMessageFailed(tx.sql, id)
    return undefined
  }
  if (tx.now - message.dueAt > LATENESS_CUTOFF) {
    failScheduledMessage(tx, message, author, TOO_LATE)
    return undefined
  }
  try {
    send(tx, message, author)
  } catch (error) {
    // An error after the checks may have left changes, which must be rolled back.
    if (!isRefusal(error)) throw error
    failScheduledMessage(tx, message, author, error.message)
  }
  return undefined
}

/** Gives up a message at which the server has failed; that transaction was rolled back. */
function giveUpScheduledMessage(tx: RealmTransaction, id: number): void {
  const message = pendingMessage(tx, id)
  const author = message && findUser(tx.sql, message.userId)
  if (message && author) failScheduledMessage(tx, message, author, BROKEN)
}

function pendingMessage(tx: RealmReads, id: number): ScheduledMessage | undefined {
  const message = findScheduledMessage(tx.sql, id)
  return message?.state === 'pending' ? message : undefined
}

/** Sends the message. Every refusal comes before the first change. */
function send(tx: RealmTransaction, message: ScheduledMessage, user: User): void {
  const author = { user, actor: actorOf(tx.sql, user, tx.now) }
  const composition = composeScheduled(tx, author, message)
  emitScheduledRemove(tx, message)
  deliverMessage(tx, composition, { client: message.client, readBySender: message.readBySender })
  markScheduledMessageSent(tx.sql, message.id)
  claimForScheduled(tx, message.id, [])
}

function failScheduledMessage(
  tx: RealmTransaction,
  message: ScheduledMessage,
  author: User,
  reason: string,
): void {
  markScheduledMessageFailed(tx.sql, message.id)
  emitScheduledUpdate(tx, message.id)
  const time = new Date(message.dueAt * 1_000).toISOString().replace('.000Z', '+00:00')
  const lines = [
    `The message you scheduled for <time:${time}> was not sent because of the following error:`,
    `> ${escapeName(reason)}`,
    '[View scheduled messages](#scheduled)',
  ]
  sendNotice(tx, { to: { user: author }, content: lines.join('\n\n'), origin: message.origin })
}
