import { ADMINISTRATORS } from '../../core/audience.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { InvitesChangedEvent } from '../../events/invites-changed.ts'
import { listPendingFor, setInvitationState } from '../../store/invitations/invitation-rows.ts'
import { deleteSignUpsOf } from '../../store/invitations/sign-up-rows.ts'

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

/** Makes clients of administrators and of the inviters fetch the list again. */
export function announceInvitesChanged(tx: RealmTransaction, ...referrerIds: readonly number[]): void {
  const event: InvitesChangedEvent = { type: 'invites_changed' }
  tx.emit(event, { ...ADMINISTRATORS, users: [...new Set(referrerIds)] })
}
