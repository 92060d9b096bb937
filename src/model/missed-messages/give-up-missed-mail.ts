import { fromJson, type JsonText } from '../../core/json.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { SEND_EMAILS } from '../../store/emails/email-rows.ts'
import {
  addMissedMessage,
  findMissedMail,
  type MissedMail,
  type MissedMessage,
} from '../../store/missed-messages/missed-mail-rows.ts'
import { findUser } from '../../store/users/user-rows.ts'
import { enterDeadLetter } from '../dead-letters/enter-dead-letter.ts'
import { finishMissedMail } from './plan-missed-mail.ts'

/**
 * Moves missed mail to the dead letters, with the ids of the messages and nothing of their content. `ids`: the mails;
 * absent: all that are due.
 */
export function giveUpMissedMail(
  tx: RealmTransaction,
  mail: MissedMail,
  error: string,
  ids: readonly number[] = mail.missed
    .filter(({ messageId }) => messageId <= mail.batch)
    .map(({ messageId }) => messageId),
): void {
  const { userId, batch, origin, attempts, firstTriedAt } = mail
  const given =
    findMissedMail(tx.sql, userId)?.missed.filter(({ messageId }) => ids.includes(messageId)) ?? []
  finishMissedMail(tx, userId, batch, ids)
  if (given.length === 0) return
  enterDeadLetter(tx, {
    kind: 'mail',
    description: `Mail of missed messages to ${findUser(tx.sql, userId)?.deliveryEmail}`,
    firstTriedAt,
    attempts,
    error,
    payload: { missed_by: userId, missed: JSON.stringify(given), origin },
  })
}

/** Makes missed messages due again, if they still need mail. */
export function retryMissedMail(tx: RealmTransaction, userId: number, missed: string, origin: string): void {
  for (const message of fromJson(missed as JsonText<MissedMessage[]>)) {
    addMissedMessage(tx.sql, userId, message, { origin, dueAt: tx.now })
  }
  tx.schedule({ kind: SEND_EMAILS, key: '', dueAt: tx.now })
}
