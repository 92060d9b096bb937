import { NotFoundError } from '../../core/errors.ts'
import type { RealmView } from '../../core/realm-transaction.ts'
import {
  findInvitation,
  findInvitationBySecret,
  type Invitation,
} from '../../store/invitations/invitation-rows.ts'
import { findSignUpBySecret } from '../../store/invitations/sign-up-rows.ts'
import { standingInvitation } from './standing-invitation.ts'

/** An invitation that can be accepted now. */
export interface OpenInvitation {
  readonly invitation: Invitation
  /** The address at which the link was received by mail; null for a link that was passed on in any way. */
  readonly address: string | null
}

/**
 * Returns the invitation behind the end of an address `/join/…`, with what its inviter may still promise. Unknown, revoked, used
 * and expired invitations, and those beyond the inviter's rights, get the same refusal.
 */
export function requireOpenInvitation(view: RealmView, secret: string): OpenInvitation {
  const found = findOpen(view, secret)
  const standing = found && isOpen(view, found.invitation) && standingInvitation(view, found.invitation)
  if (!standing) throw new NotFoundError('This invitation is not valid any more.')
  return { invitation: standing, address: found.address }
}

function findOpen(view: RealmView, secret: string): OpenInvitation | undefined {
  const invitation = findInvitationBySecret(view.sql, secret)
  if (invitation) return { invitation, address: invitation.email }
  const signUp = findSignUpBySecret(view, secret)
  const link = signUp && findInvitation(view.sql, 'link', signUp.linkId)
  return link && { invitation: link, address: signUp.email }
}

function isOpen({ now }: RealmView, { state, expiresAt }: Invitation): boolean {
  return state === 'pending' && (expiresAt === null || expiresAt > now)
}
