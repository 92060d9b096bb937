import { ADMINISTRATORS } from '../../core/audience.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { InvitesChangedEvent } from '../../events/invites-changed.ts'

/** Makes clients of administrators and of the inviters fetch the list again. */
export function announceInvitesChanged(tx: RealmTransaction, ...referrerIds: readonly number[]): void {
  const event: InvitesChangedEvent = { type: 'invites_changed' }
  tx.emit(event, { ...ADMINISTRATORS, users: [...new Set(referrerIds)] })
}
