import { ADMINISTRATORS } from '../../core/audience.ts'
import { NotFoundError } from '../../core/errors.ts'
import type { RealmTransaction, RealmView } from '../../core/realm-transaction.ts'
import { DAY } from '../../core/time.ts'
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
import { isRealmDeactivated, realmPermissions, realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { isSubscribed } from '../../store/subscriptions/subscriber-rows.ts'
import { findGroup } from '../../store/user-groups/user-group-rows.ts'
import { findUser } from '../../store/users/user-rows.ts'
import { actorOf } from '../caller.ts'
import { queueLetter, timeForAnyone } from '../emails/letter.ts'
import { countMailToStranger } from '../emails/mail-limits.ts'
import { textsForStrangers } from '../emails/texts/texts-for.ts'

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

export function invitationUrl(origin: string, { secret }: Pick<Invitation, 'secret'>): string {
  return `${origin}/join/${secret}`
}

/** Mails the invitations of one request, which have the same inviter and expiry. */
export function mailInvitations(
  tx: RealmTransaction,
  invitations: readonly MailedInvitation[],
  { isReminder = false } = {},
): void {
  const [first] = invitations
  if (!first) return
  const organization = realmProperty(tx.sql, 'name')
  const { fullName, deliveryEmail } = findUser(tx.sql, first.referrerId)!
  const texts = textsForStrangers(tx)
  const { expiresAt } = first
  const subject = isReminder
    ? texts.invitation.reminder(organization)
    : texts.invitation.subject(fullName, organization)
  const ending =
    expiresAt === null ? texts.invitation.forEver : texts.invitation.until(timeForAnyone(expiresAt, texts))
  queueLetter(
    tx,
    texts,
    ...invitations.map((invitation) => ({
      recipient: invitation.email!,
      subject,
      paragraphs: [
        texts.greeting(),
        texts.invitation.happened(fullName, deliveryEmail, organization),
        texts.signUp.link(invitationUrl(invitation.origin, invitation)),
        ending,
      ],
    })),
  )
}

type MailedInvitation = Pick<Invitation, 'email' | 'secret' | 'referrerId' | 'expiresAt' | 'origin'>

/** The job that reminds a user of an invitation; its key is the invitation's id. */
export const REMIND_INVITEE = 'remind-invitee'

/** Seconds of validity below which there is no reminder (docs/interface/invitations.md#invite-by-mail). */
const MIN_VALIDITY = 4 * DAY
const BEFORE_EXPIRY = 2 * DAY

export function scheduleReminder(
  tx: RealmTransaction,
  id: number,
  { expiresAt }: Pick<Invitation, 'expiresAt'>,
): void {
  if (expiresAt === null || expiresAt - Math.floor(tx.now) < MIN_VALIDITY) return
  tx.schedule({ kind: REMIND_INVITEE, key: String(id), dueAt: expiresAt - BEFORE_EXPIRY })
}

/** Sends one more mail, if the invitation is still open. */
export function remindInvitee(tx: RealmTransaction, id: number): undefined {
  const invitation = findInvitation(tx.sql, 'email', id)
  if (invitation?.state !== 'pending' || invitation.expiresAt === null) return undefined
  if (invitation.expiresAt <= tx.now || !standingInvitation(tx, invitation)) return undefined
  // An address that has got so much other mail needs no reminder.
  if (countMailToStranger(tx, {}, invitation.email!) !== undefined) return undefined
  mailInvitations(tx, [invitation], { isReminder: true })
  return undefined
}
