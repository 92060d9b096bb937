import { isRefusal, lacksRoom } from '../../core/errors.ts'
import type { NextTime } from '../../core/job-runtime.ts'
import { log } from '../../core/log.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { MINUTE } from '../../core/time.ts'
import { escapeName } from '../../markdown/mention-text.ts'
import { actorOf } from '../../model/caller.ts'
import { personalNoticeTexts } from '../../model/notices/personal-notice-texts.ts'
import { composeScheduled } from '../../model/scheduled-messages/compose-scheduled.ts'
import { emitScheduledRemove, emitScheduledUpdate } from '../../model/scheduled-messages/emit-scheduled.ts'
import { sendNotice } from '../../model/sending/send-notice.ts'
import { deliverMessage } from '../../model/sending/store-message.ts'
import { claimForScheduled } from '../../model/uploads/claim-attachments.ts'
import { isRealmDeactivated } from '../../store/realm/realm-setting-rows.ts'
import {
  findScheduledMessage,
  markScheduledMessageFailed,
  markScheduledMessageSent,
  type ScheduledMessage,
} from '../../store/unsent/unsent-rows.ts'
import { findUser, type User } from '../../store/users/user-rows.ts'
import type { Runtime } from '../runtime.ts'
import type { JobHandler } from './change-by-job.ts'

/**
 * Sends one scheduled message: `key` is its id. The job is then finished, whether the message was sent or not, unless it is not due. If
 * there is no room for it, there is none for a notice about the failure either (`whenThereIsRoom`).
 */
export const deliverScheduled: JobHandler = (runtime, key) => {
  const giveUp = (error: unknown) => giveUpAfter(error, runtime, key)
  try {
    const result = runtime.suspendableChange((tx) => deliverScheduledMessage(tx, Number(key)))
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
  return runtime.suspendableChange((tx) => {
    giveUpScheduledMessage(tx, Number(key))
    return undefined
  })
}

/** Seconds of lateness after which a message is not sent, and its author decides (docs/interface/conventions.md#limits). */
const LATENESS_CUTOFF = 10 * MINUTE

const TOO_LATE = 'Message could not be sent at the scheduled time.'
const BROKEN = 'Internal server error'

/**
 * Sends a scheduled message that is due, or tells its author why not. Does nothing for one that is not pending, since a job may run twice.
 * If it is not due, since the clock may have been set back, returns when it is (UNIX seconds). Source: docs/interface/personal.md#delivery.
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
    // An error after the checks may have left changes to roll back.
    if (!isRefusal(error)) throw error
    failScheduledMessage(tx, message, author, error.message)
  }
  return undefined
}

/** Gives up a message that made the server fail; that transaction was rolled back. */
function giveUpScheduledMessage(tx: RealmTransaction, id: number): void {
  const message = pendingMessage(tx, id)
  const author = message && findUser(tx.sql, message.userId)
  if (message && author) failScheduledMessage(tx, message, author, BROKEN)
}

function pendingMessage(tx: RealmReads, id: number): ScheduledMessage | undefined {
  const message = findScheduledMessage(tx.sql, id)
  return message?.state === 'pending' ? message : undefined
}

/**
 * Sends the message. All refusals come before the first change. The scheduled message goes after the message has come, so that a client
 * never shows neither of the two. Source: docs/interface/personal.md#delivery.
 */
function send(tx: RealmTransaction, message: ScheduledMessage, user: User): void {
  const author = { user, actor: actorOf(tx.sql, user, tx.now) }
  const composition = composeScheduled(tx, author, message)
  deliverMessage(tx, composition, { client: message.client, readBySender: message.readBySender })
  markScheduledMessageSent(tx.sql, message.id)
  claimForScheduled(tx, message.id, [])
  emitScheduledRemove(tx, message)
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
  const texts = personalNoticeTexts(author)
  const lines = [
    texts.notSent(`<time:${time}>`),
    `> ${escapeName(reason)}`,
    `[${texts.viewScheduled}](#scheduled)`,
  ]
  sendNotice(tx, { to: { user: author }, content: lines.join('\n\n'), origin: message.origin })
}
