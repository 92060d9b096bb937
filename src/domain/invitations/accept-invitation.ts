import type { RequestSource } from '../../core/call.ts'
import type { Command } from '../../core/command.ts'
import { BadRequestError, NotFoundError } from '../../core/errors.ts'
import type { RealmTransaction, RealmView } from '../../core/realm-transaction.ts'
import type { Anyone } from '../anyone.ts'
import { findChannel, listDefaultChannels } from '../channels/channel-rows.ts'
import { mailWelcome } from '../emails/account-mails.ts'
import { silentMention } from '../messages/send/mention-text.ts'
import { sendNotice } from '../messages/send/send-notice.ts'
import { withinQuota } from '../quotas/within-quota.ts'
import { realmProperty } from '../realm/realm-setting-rows.ts'
import { subscribeNewUser } from '../subscriptions/default-subscriptions.ts'
import { emitGroupEvent } from '../user-groups/emit-group-event.ts'
import { insertMembers } from '../user-groups/membership-rows.ts'
import { findGroup } from '../user-groups/user-group-rows.ts'
import { addUser } from '../users/accounts/add-user.ts'
import { greetNewUser } from '../users/accounts/greet-new-user.ts'
import { requireAllowedEmail } from '../users/addresses/email-rules.ts'
import { noteLogin } from '../users/login/login-attempts.ts'
import { requirePasswordLength } from '../users/login/password-rules.ts'
import { requireAllowedFullName } from '../users/profile/full-name-rules.ts'
import { findUser, findUserByEmail, type User } from '../users/user-rows.ts'
import { announceInvitesChanged } from './announce-invites-changed.ts'
import {
  findInvitationBySecret,
  type Invitation,
  listPendingFor,
  setInvitationState,
} from './invitation-rows.ts'
import { standingInvitation } from './standing-invitation.ts'

/** Facts that the page shows before the account is made. `email` is null where it has to be entered. */
export interface ShownInvitation {
  readonly organization: string
  readonly referrer: string
  readonly email: string | null
}

export const showInvitation: Command<Anyone, { readonly secret: string }, void, ShownInvitation> = {
  apply(tx, _anyone, { secret }) {
    const invitation = requireOpenInvitation(tx, secret)
    return {
      organization: realmProperty(tx.sql, 'name'),
      referrer: findUser(tx.sql, invitation.referrerId)!.fullName,
      email: invitation.email,
    }
  },
}

export interface AcceptInvitationParams {
  readonly secret: string
  readonly email: string
  readonly full_name: string
  readonly password: string
  readonly password_hash?: string
  /** Language of the page on which it was accepted, if the browser asks for one. */
  readonly language?: string
}

export interface JoinedUser {
  readonly user_id: number
  readonly email: string
  readonly organization: string
}

/**
 * Makes the account that an invitation promises: role, channels, groups; the referrer is notified, and other
 * invitations of the address become invalid. Source: docs/interface/invitations.md#what-an-invitation-gives.
 */
export const acceptInvitation: Command<Anyone, AcceptInvitationParams, void, JoinedUser> = {
  apply(tx, { source }, params) {
    const invitation = requireOpenInvitation(tx, params.secret)
    const deliveryEmail = requireAllowedEmail(tx.sql, invitation.email ?? params.email)
    if (findUserByEmail(tx.sql, deliveryEmail)) throw new BadRequestError('Email is already in use.')
    const fullName = requireAllowedFullName(tx.sql, params.full_name)
    requirePasswordLength(params.password)
    const account = {
      deliveryEmail,
      fullName,
      role: invitation.inviteAs,
      passwordHash: params.password_hash ?? null,
      language: params.language,
    }
    const user = withinQuota(tx, { source }, 'accounts', () => addUser(tx, account))
    joinPromised(tx, user, invitation, source)
    closeInvitations(tx, user, invitation)
    noteLogin(tx, source)
    mailWelcome(tx, user, source)
    greet(tx, user, invitation, source)
    return { user_id: user.id, email: deliveryEmail, organization: realmProperty(tx.sql, 'name') }
  },
}

/**
 * Returns the invitation with what its inviter may still promise. Unknown, revoked, used and expired
 * invitations, and those beyond the inviter's rights, get the same refusal.
 */
function requireOpenInvitation(view: RealmView, secret: string): Invitation {
  const invitation = findInvitationBySecret(view.sql, secret)
  const isExpired = invitation && invitation.expiresAt !== null && invitation.expiresAt <= view.now
  const isOpen = invitation?.state === 'pending' && !isExpired
  const standing = isOpen ? standingInvitation(view, invitation) : undefined
  if (!standing) throw new NotFoundError('This invitation is not valid any more.')
  return standing
}

function joinPromised(tx: RealmTransaction, user: User, invitation: Invitation, source: RequestSource): void {
  const defaults = invitation.joinsDefaultChannels ? listDefaultChannels(tx.sql) : []
  const promised = invitation.channelIds
    .map((id) => findChannel(tx.sql, id))
    .filter((channel) => channel !== undefined)
  const channels = new Map([...promised, ...defaults].map((channel) => [channel.id, channel]))
  subscribeNewUser(
    tx,
    user,
    [...channels.values()].filter(({ isArchived }) => !isArchived),
  )
  for (const id of invitation.groupIds) {
    const group = findGroup(tx.sql, id)
    if (!group || group.isDeactivated) continue
    const join = () => insertMembers(tx.sql, id, [user.id])
    withinQuota(tx, { source }, 'groupMembers', join, group.creatorId)
    emitGroupEvent(tx, { op: 'add_members', group_id: id, user_ids: [user.id] })
  }
}

function closeInvitations(tx: RealmTransaction, user: User, invitation: Invitation): void {
  if (invitation.kind === 'email') setInvitationState(tx.sql, invitation, 'accepted')
  for (const other of listPendingFor(tx.sql, user.deliveryEmail)) {
    setInvitationState(tx.sql, other, 'revoked')
  }
  announceInvitesChanged(tx, invitation.referrerId)
}

/** Notifies the referrer, if they asked for it, and sends the welcome text to the newcomer. */
function greet(tx: RealmTransaction, user: User, invitation: Invitation, source: RequestSource): void {
  const referrer = findUser(tx.sql, invitation.referrerId)
  if (invitation.notifiesReferrer && referrer?.isActive) {
    sendNotice(tx, {
      to: { user: referrer },
      content: `${silentMention(user)} accepted your invitation to join Parley!`,
      origin: source.origin,
    })
  }
  greetNewUser(tx, user, {
    text: invitation.welcomeText ?? realmProperty(tx.sql, 'welcome_message_custom_text'),
    origin: source.origin,
  })
}
