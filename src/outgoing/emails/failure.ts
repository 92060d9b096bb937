import { fromJson, type JsonText } from '../../core/json.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { type Digest, enqueueDigestAgain, finishDigest } from '../../store/digests/digest-rows.ts'
import { deleteEmail, type Email, NOBODY } from '../../store/emails/email-rows.ts'
import {
  addMissedMessage,
  findMissedMail,
  type MissedMail,
  type MissedMessage,
} from '../../store/missed-messages/missed-mail-rows.ts'
import { findUser } from '../../store/users/user-rows.ts'
import { addDeadLetter } from '../add-dead-letter.ts'
import { finishMissedMail } from './plan-missed-mail.ts'

/** Moves a digest to the dead letters, with its reader but without content. */
export function giveUpDigest(
  tx: RealmTransaction,
  { userId, round, origin, attempts, firstTriedAt }: Digest,
  error: string,
): void {
  finishDigest(tx.sql, userId)
  addDeadLetter(tx, {
    kind: 'mail',
    description: `Digest to ${findUser(tx.sql, userId)?.deliveryEmail}`,
    firstTriedAt,
    attempts,
    error,
    payload: { digest_of: userId, round, origin },
  })
}

/** Moves a mail to the dead letters, from which owners can retry it. */
export function giveUpEmail(tx: RealmTransaction, email: Email, error: string): void {
  deleteEmail(tx.sql, email.id)
  if (email.recipient === NOBODY) return
  const { recipient, subject, body, html, headers, attempts, firstTriedAt } = email
  addDeadLetter(tx, {
    kind: 'mail',
    description: `Mail to ${recipient}: ${subject}`,
    firstTriedAt: firstTriedAt ?? email.createdAt,
    attempts,
    error,
    payload: {
      recipient,
      subject,
      body,
      ...(html === null ? {} : { html }),
      ...(headers === null ? {} : { headers: JSON.stringify(headers) }),
    },
  })
}

/** Moves missed messages to the dead letters, by id, without their content. `ids`: the messages; absent: all that are due. */
export function giveUpMissedMail(
  tx: RealmTransaction,
  mail: MissedMail,
  error: string,
  ids: readonly number[] = mail.missed.map(({ messageId }) => messageId).filter((id) => id <= mail.batch),
): void {
  const { userId, batch, origin, attempts, firstTriedAt } = mail
  const given =
    findMissedMail(tx.sql, userId)?.missed.filter(({ messageId }) => ids.includes(messageId)) ?? []
  finishMissedMail(tx, userId, batch, ids)
  if (given.length === 0) return
  addDeadLetter(tx, {
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
  tx.schedule({ kind: 'send-emails', key: '', dueAt: tx.now })
}

/** Makes a digest due again, with the content of its week. */
export function retryDigest(tx: RealmTransaction, userId: number, round: number, origin: string): void {
  enqueueDigestAgain(tx.sql, { userId, round, origin }, tx.now)
  tx.schedule({ kind: 'send-emails', key: '', dueAt: tx.now })
}
