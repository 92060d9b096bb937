import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { listPendingFor, setInvitationState } from '../../store/invitations/invitation-rows.ts'
import { deleteSignUpsOf } from '../../store/invitations/sign-up-rows.ts'
import { announceInvitesChanged } from './announce-invites-changed.ts'

/**
 * Ends everybody's invitations to an address that an account has and that is known to be its owner's. `accepted`: the inviter whose
 * invitation was accepted. Source: docs/interface/invitations.md#what-an-invitation-gives.
 */
export function endInvitationsTo(tx: RealmTransaction, email: string, accepted?: number): void {
  const others = listPendingFor(tx.sql, email)
  for (const other of others) setInvitationState(tx.sql, other, 'revoked')
  deleteSignUpsOf(tx.sql, email)
  const concerned = others.map(({ referrerId }) => referrerId)
  if (accepted !== undefined) concerned.push(accepted)
  if (concerned.length > 0) announceInvitesChanged(tx, ...concerned)
}
