import type { RealmTransaction } from '../../core/realm-transaction.ts'
import {
  insertEmail,
  requireRoomForEmail,
  SEND_EMAILS,
  type WrittenEmail,
} from '../../store/emails/email-rows.ts'

/**
 * Queues a mail as part of the change that causes it: it is sent after the commit, and retried until it is
 * sent.
 *
 * @throws ServiceUnavailableError when too much mail is pending
 */
export function queueEmail(tx: RealmTransaction, email: WrittenEmail): void {
  queueEmails(tx, [email])
}

/** Queues several mails as `queueEmail` does one: all of them or none. */
export function queueEmails(tx: RealmTransaction, emails: readonly WrittenEmail[]): void {
  requireRoomForEmail(tx.sql, emails.length)
  for (const email of emails) insertEmail(tx.sql, email, { writtenAt: tx.now, sentAt: null })
  tx.schedule({ kind: SEND_EMAILS, key: '', dueAt: tx.now })
}
