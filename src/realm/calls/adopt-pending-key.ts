import type { RequestSource } from '../../core/call.ts'
import type { Transact } from '../../core/realm-transaction.ts'
import { insertAuditEntry } from '../../domain/audit-log/audit-entry-rows.ts'
import { mailCredentialChange } from '../../domain/emails/account-mails.ts'
import { changeApiKey } from '../../domain/users/login/change-api-key.ts'
import { findUser, type User } from '../../domain/users/user-rows.ts'

/**
 * Makes the pending key, with which somebody has just authenticated, the key of the account: the former one
 * ends. In a commit of its own, whatever the outcome of the call.
 */
export function adoptPendingKey(transact: Transact, user: User, apiKey: string, source: RequestSource): User {
  const { ip } = source
  return transact((tx) => {
    changeApiKey(tx, user, apiKey)
    mailCredentialChange(tx, user, source, 'apiKey')
    insertAuditEntry(tx.sql, {
      at: tx.now,
      action: 'key_renewed',
      actorId: user.id,
      address: ip === '' ? null : ip,
      details: { user_id: user.id },
    })
    return findUser(tx.sql, user.id)!
  })
}
