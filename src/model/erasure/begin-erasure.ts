import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { type Erasure, insertErasure } from '../../store/erasure/erasure-rows.ts'
import { newestMessageId } from '../../store/messages/message-rows.ts'
import { listBotsOwnedBy, type User } from '../../store/users/user-rows.ts'
import { closeWithBots } from '../accounts/close-account.ts'
import { eraseAccount } from './erase-account.ts'
import { erasing } from './erase-next.ts'
import { noteRemoved } from './note-removed.ts'

/**
 * Begins to erase a person, and all bots that are theirs: in this commit the account is closed, and loses its name, its addresses and what it
 * says of its person; a job removes the rest. Checks nothing. Returns the erasure's id.
 */
export function beginErasure(
  tx: RealmTransaction,
  user: User,
  asked: Pick<Erasure, 'askedBy' | 'askedAt' | 'messages'>,
): number {
  const { id: userId } = user
  const accounts = [userId, ...listBotsOwnedBy(tx.sql, userId).map(({ id }) => id)]
  const id = insertErasure(tx.sql, { userId, accounts, ...asked })
  if (user.isActive) closeWithBots(tx, user)
  noteRemoved(tx.sql, id, eraseAccount(tx, userId))
  const upTo = newestMessageId(tx.sql)
  const left = { erasureId: id, accounts, step: 0, after: null, removes: asked.messages === 'remove', upTo }
  tx.continueLater(erasing, String(userId), left)
  tx.schedule({ kind: 'list-erasures', key: '', dueAt: tx.now })
  return id
}
