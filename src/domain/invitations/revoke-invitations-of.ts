import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { User } from '../users/user-rows.ts'
import { announceInvitesChanged } from './announce-invites-changed.ts'
import { listOpenInvitations, setInvitationState } from './invitation-rows.ts'

/** Revokes the invitations of somebody whose account is closed (docs/interface/users.md#close-and-open-an-account). */
export function revokeInvitationsOf(tx: RealmTransaction, user: User): void {
  const own = listOpenInvitations(tx.sql, tx.now).filter(({ referrerId }) => referrerId === user.id)
  for (const invitation of own) setInvitationState(tx.sql, invitation, 'revoked')
  if (own.length > 0) announceInvitesChanged(tx, user.id)
}
