import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { insertEmail, requireRoomForEmail, SEND_EMAILS, type WrittenEmail } from './email-rows.ts'

/**
 * Mail is part of the change that causes it: it goes out after the commit, and until it has gone.
 *
 * @throws ServiceUnavailableError when too much waits
 */
export function queueEmail(tx: RealmTransaction, email: WrittenEmail): void {
  requireRoomForEmail(tx.sql)
  insertEmail(tx.sql, email, { writtenAt: tx.now, sentAt: null })
  tx.schedule({ kind: SEND_EMAILS, key: '', dueAt: tx.now })
}
