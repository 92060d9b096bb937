import { ADMINISTRATORS } from '../../core/audience.ts'
import { NotFoundError } from '../../core/errors.ts'
import type { RealmTransaction, RealmView } from '../../core/realm-transaction.ts'
import type { InvitesChangedEvent } from '../../events/realm.ts'
import {
  mayCreateInviteLink,
  mayInvite,
  mayInviteAs,
  mayInviteToChannel,
  mayWriteWelcomeText,
} from '../../rules/invitation-rules.ts'
import { isGuest } from '../../rules/roles.ts'
import { mayAddMembers } from '../../rules/user-group-rules.ts'
import { findChannel } from '../../store/channels/channel-rows.ts'
import {
  deleteSignUpsOf,
  findInvitation,
  findInvitationBySecret,
  findSignUpBySecret,
  type Invitation,
  listPendingFor,
  setInvitationState,
} from '../../store/invitations/invitation-rows.ts'
import { isRealmDeactivated, realmPermissions } from '../../store/realm/realm-setting-rows.ts'
import { isSubscribed } from '../../store/subscriptions/subscriber-rows.ts'
import { findGroup } from '../../store/user-groups/user-group-rows.ts'
import { findUser } from '../../store/users/user-rows.ts'
import { actorOf } from '../caller.ts'

/**
 * Returns the present terms of an open invitation, without the channels and groups that the inviter may no longer offer; undefined when the
 * inviter may no longer invite, or not to this role, or the organization is closed. Source:
 * docs/decisions/interface.md#stricter-than-the-public-server. `offered`: whether the inviter may offer a channel, as far as known.
 */
export function standingInvitation(
  { sql, now }: RealmView,
  invitation: Invitation,
  offered = new Map<number, boolean>(),
): Invitation | undefined {
  const inviter = findUser(sql, invitation.referrerId)
  if (!inviter?.isActive || isRealmDeactivated(sql)) return undefined
  const actor = actorOf(sql, inviter, now)
  const realm = realmPermissions(sql)
  const mayStill = invitation.kind === 'link' ? mayCreateInviteLink : mayInvite
  if (isGuest(actor) || !mayStill(actor, realm) || !mayInviteAs(actor, invitation.inviteAs)) return undefined
  const mayOffer = (id: number) => {
    const channel = findChannel(sql, id)
    const subscribed = isSubscribed(sql, id, inviter.id)
    const facts = { id, channel, isSubscribed: subscribed, isDefault: channel?.isDefault ?? false }
    return mayInviteToChannel(actor, facts, realm)
  }
  const channelIds = invitation.channelIds.filter((id) => {
    const isOffered = offered.get(id) ?? mayOffer(id)
    offered.set(id, isOffered)
    return isOffered
  })
  const groupIds = invitation.groupIds.filter((id) => {
    const group = findGroup(sql, id)
    return group !== undefined && !group.isDeactivated && mayAddMembers(actor, group, realm)
  })
  const welcomeText = mayWriteWelcomeText(actor) ? invitation.welcomeText : null
  return { ...invitation, channelIds, groupIds, welcomeText }
}

/** An invitation that can be accepted now. */
interface OpenInvitation {
  readonly invitation: Invitation
  /** The address to which the link was mailed; null for a link that anyone may pass on. */
  readonly address: string | null
}

/**
 * Returns the invitation behind an address `/join/…`, with what its inviter may still offer. Unknown, revoked, used and
 * expired invitations, and those beyond the inviter's rights, get the same refusal.
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

/**
 * Ends all invitations to the confirmed address of an account. `accepted`: the inviter whose invitation was accepted.
 * Source: docs/interface/invitations.md#what-an-invitation-gives.
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
