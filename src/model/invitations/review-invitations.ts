import type { RealmTransaction } from '../../core/realm-transaction.ts'
import {
  type Invitation,
  listOpenInvitationsOf,
  reduceInvitation,
  setInvitationState,
} from '../../store/invitations/invitation-rows.ts'
import type { User } from '../../store/users/user-rows.ts'
import { announceInvitesChanged } from './announce-invites-changed.ts'
import { standingInvitation } from './standing-invitation.ts'

/** Reduces or revokes somebody's invitations after a change of their role. */
export function reviewInvitationsOf(tx: RealmTransaction, user: User): void {
  const own = listOpenInvitationsOf(tx.sql, user.id, tx.now)
  // There may be a thousand invitations, each to hundreds of the same channels.
  const offered = new Map<number, boolean>()
  let isChanged = false
  for (const invitation of own) {
    const standing = standingInvitation(tx, invitation, offered)
    if (standing && isSame(standing, invitation)) continue
    isChanged = true
    if (standing) reduceInvitation(tx.sql, standing)
    else setInvitationState(tx.sql, invitation, 'revoked')
  }
  if (isChanged) announceInvitesChanged(tx, user.id)
}

/** Compares numbers of channels and groups, which are only ever removed. */
function isSame(a: Invitation, b: Invitation): boolean {
  return (
    a.channelIds.length === b.channelIds.length &&
    a.groupIds.length === b.groupIds.length &&
    a.welcomeText === b.welcomeText
  )
}
