import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { queueLetter, timeForAnyone } from '../emails/letter.ts'
import { textsForStrangers } from '../emails/texts/texts-for.ts'
import { realmProperty } from '../realm/realm-setting-rows.ts'
import { findUser } from '../users/user-rows.ts'
import type { Invitation } from './invitation-rows.ts'

/** Returns the address at which an invitation is accepted. */
export function invitationUrl(origin: string, { secret }: Pick<Invitation, 'secret'>): string {
  return `${origin}/join/${secret}`
}

/** Sends the mail to the invited address. */
export function mailInvitation(
  tx: RealmTransaction,
  invitation: Pick<Invitation, 'email' | 'secret' | 'referrerId' | 'expiresAt' | 'origin'>,
  { isReminder = false } = {},
): void {
  const organization = realmProperty(tx.sql, 'name')
  const referrer = findUser(tx.sql, invitation.referrerId)!
  const texts = textsForStrangers(tx)
  const { expiresAt } = invitation
  queueLetter(tx, texts, {
    recipient: invitation.email!,
    subject: isReminder
      ? texts.invitation.reminder(organization)
      : texts.invitation.subject(referrer.fullName, organization),
    paragraphs: [
      texts.greeting(),
      texts.invitation.happened(referrer.fullName, referrer.deliveryEmail, organization),
      texts.invitation.link(invitationUrl(invitation.origin, invitation)),
      expiresAt === null ? texts.invitation.forEver : texts.invitation.until(timeForAnyone(expiresAt, texts)),
    ],
  })
}
