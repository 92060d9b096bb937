import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Invitation } from '../../store/invitations/invitation-rows.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { findUser } from '../../store/users/user-rows.ts'
import { queueLetters, timeForAnyone } from '../emails/letter.ts'
import { textsForStrangers } from '../emails/texts/texts-for.ts'

/** Returns the address at which an invitation is accepted. */
export function invitationUrl(origin: string, { secret }: Pick<Invitation, 'secret'>): string {
  return `${origin}/join/${secret}`
}

/** Sends mails to the invited addresses. The invitations are of one request: they have the same inviter and the same end. */
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
  queueLetters(
    tx,
    texts,
    invitations.map((invitation) => ({
      recipient: invitation.email!,
      subject,
      paragraphs: [
        texts.greeting(),
        texts.invitation.happened(fullName, deliveryEmail, organization),
        texts.invitation.link(invitationUrl(invitation.origin, invitation)),
        ending,
      ],
    })),
  )
}

type MailedInvitation = Pick<Invitation, 'email' | 'secret' | 'referrerId' | 'expiresAt' | 'origin'>
