import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { DAY } from '../../core/time.ts'
import { findInvitation, type Invitation } from '../../store/invitations/invitation-rows.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { findUser } from '../../store/users/user-rows.ts'
import { queueLetter, timeForAnyone } from '../emails/letter.ts'
import { countMailToStranger } from '../emails/mail-limits.ts'
import { textsForStrangers } from '../emails/texts-for.ts'
import { standingInvitation } from './standing-invitation.ts'

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
    : texts.invitation.subject({ referrer: fullName, organization })
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
        texts.invitation.happened({ referrer: fullName, address: deliveryEmail, organization }),
        texts.signUp.link(invitationUrl(invitation.origin, invitation)),
        ending,
      ],
    })),
  )
}

type MailedInvitation = Pick<Invitation, 'email' | 'secret' | 'referrerId' | 'expiresAt' | 'origin'>

/** Seconds of validity below which there is no reminder (docs/interface/invitations.md#invite-by-mail). */
const MIN_VALIDITY = 4 * DAY
const BEFORE_EXPIRY = 2 * DAY

export function scheduleReminder(
  tx: RealmTransaction,
  id: number,
  { expiresAt }: Pick<Invitation, 'expiresAt'>,
): void {
  if (expiresAt === null || expiresAt - Math.floor(tx.now) < MIN_VALIDITY) return
  tx.schedule({ kind: 'remind-invitee', key: String(id), dueAt: expiresAt - BEFORE_EXPIRY })
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
