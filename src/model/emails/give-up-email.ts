import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { deleteEmail, type Email, NOBODY } from '../../store/emails/email-rows.ts'
import { enterDeadLetter } from '../dead-letters/enter-dead-letter.ts'

/** Moves a mail to the dead letters, from which owners can retry it. */
export function giveUpEmail(tx: RealmTransaction, email: Email, error: string): void {
  deleteEmail(tx.sql, email.id)
  if (email.recipient === NOBODY) return
  const { recipient, subject, body, html, headers, attempts, firstTriedAt } = email
  enterDeadLetter(tx, {
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
