import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { revokeOpenInvitationsOf } from '../../store/invitations/invitation-rows.ts'
import type { User } from '../../store/users/user-rows.ts'
import { announceInvitesChanged } from './announce-invites-changed.ts'

/** Revokes the invitations of somebody whose account is closed (docs/interface/users.md#close-and-open-an-account). */
export function revokeInvitationsOf(tx: RealmTransaction, user: User): void {
  if (revokeOpenInvitationsOf(tx.sql, user.id, tx.now)) announceInvitesChanged(tx, user.id)
}
