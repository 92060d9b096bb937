import type { RequestSource } from '../../core/call.ts'
import type { Command } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { mentionText } from '../../markdown/mention-text.ts'
import type { Anyone } from '../anyone.ts'
import { callForNewPerson } from '../bots/enqueue-event-calls.ts'
import { findChannel, listDefaultChannels } from '../channels/channel-rows.ts'
import { mailWelcome } from '../emails/account-mails.ts'
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
import { expectConfirmation } from '../users/addresses/unconfirmed-address.ts'
import { noteLogin } from '../users/login/login-attempts.ts'
import { requirePasswordLength } from '../users/login/password-rules.ts'
import { requireAllowedFullName } from '../users/profile/full-name-rules.ts'
import { findUser, findUserByEmail, type User } from '../users/user-rows.ts'
import { announceInvitesChanged } from './announce-invites-changed.ts'
import { countJoining } from './count-joining.ts'
import { endInvitationsTo } from './end-invitations-to.ts'
import { type Invitation, setInvitationState } from './invitation-rows.ts'
import { requireOpenInvitation } from './open-invitation.ts'

/** Facts that the page shows before the account is made. */
export interface ShownInvitation {
  readonly organization: string
  readonly referrer: string
  /** Null where it has to be entered. */
  readonly email: string | null
  /** Whether nothing but the address is entered, which then gets a mail with another link. */
  readonly asksForAddress: boolean
}

export const showInvitation: Command<Anyone, { readonly secret: string }, void, ShownInvitation> = {
  apply(tx, _anyone, { secret }) {
    const { invitation, address } = requireOpenInvitation(tx, secret)
    return {
      organization: realmProperty(tx.sql, 'name'),
      referrer: findUser(tx.sql, invitation.referrerId)!.fullName,
      email: address,
      asksForAddress: address === null && tx.sendsMail(),
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
 * invitations of the address become invalid, if it is confirmed. Source: docs/interface/invitations.md#what-an-invitation-gives.
 */
export const acceptInvitation: Command<Anyone, AcceptInvitationParams, void, JoinedUser> = {
  apply(tx, { source }, params) {
    const { invitation, address } = requireOpenInvitation(tx, params.secret)
    const deliveryEmail = requireAllowedEmail(tx.sql, address ?? params.email)
    if (address === null) admitUnconfirmed(tx, source)
    if (findUserByEmail(tx.sql, deliveryEmail)) throw new BadRequestError('Email is already in use.')
    const fullName = requireAllowedFullName(tx.sql, params.full_name)
    requirePasswordLength(params.password)
    const account = {
      deliveryEmail,
      isEmailConfirmed: address !== null,
      fullName,
      role: invitation.inviteAs,
      passwordHash: params.password_hash ?? null,
      language: params.language,
    }
    const user = withinQuota(tx, { source }, 'accounts', () => addUser(tx, account))
    joinPromised(tx, user, invitation, source)
    callForNewPerson(tx, user, null)
    closeInvitations(tx, user, invitation)
    if (!user.isEmailConfirmed) expectConfirmation(tx, user)
    noteLogin(tx, source)
    mailWelcome(tx, user, source)
    greet(tx, user, invitation, source)
    return { user_id: user.id, email: deliveryEmail, organization: realmProperty(tx.sql, 'name') }
  },
}

/**
 * Admits somebody whose address no mail has confirmed, which is possible only where no mail can be sent. Source:
 * docs/interface/invitations.md#without-a-mail-service.
 */
function admitUnconfirmed(tx: RealmTransaction, source: RequestSource): void {
  if (tx.sendsMail()) throw new BadRequestError('This address needs to be confirmed by mail first.')
  if (realmProperty(tx.sql, 'emails_restricted_to_domains')) {
    throw new BadRequestError(
      'This organization admits addresses of certain domains, and this server can send no mail to confirm one.',
    )
  }
  countJoining(tx, source)
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

/** An address that nobody has confirmed ends nobody else's invitation. */
function closeInvitations(tx: RealmTransaction, user: User, invitation: Invitation): void {
  if (invitation.kind === 'email') setInvitationState(tx.sql, invitation, 'accepted')
  if (user.isEmailConfirmed) endInvitationsTo(tx, user.deliveryEmail, invitation.referrerId)
  else announceInvitesChanged(tx, invitation.referrerId)
}

/** Notifies the referrer, if they asked for it, and sends the welcome text to the newcomer. */
function greet(tx: RealmTransaction, user: User, invitation: Invitation, source: RequestSource): void {
  const referrer = findUser(tx.sql, invitation.referrerId)
  if (invitation.notifiesReferrer && referrer?.isActive) {
    sendNotice(tx, {
      to: { user: referrer },
      content: `${mentionText({ user })} accepted your invitation to join Parley!`,
      origin: source.origin,
    })
  }
  greetNewUser(tx, user, {
    text: invitation.welcomeText ?? realmProperty(tx.sql, 'welcome_message_custom_text'),
    origin: source.origin,
  })
}
