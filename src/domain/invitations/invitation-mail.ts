import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { queueEmail } from '../emails/email-rows.ts'
import { realmProperty } from '../realm/realm-setting-rows.ts'
import { findUser } from '../users/user-rows.ts'
import type { Invitation } from './invitation-rows.ts'

/** The address at which an invitation is accepted. */
export function invitationUrl(origin: string, { secret }: Pick<Invitation, 'secret'>): string {
  return `${origin}/join/${secret}`
}

/** One mail to the one invited. */
export function mailInvitation(
  tx: RealmTransaction,
  invitation: Pick<Invitation, 'email' | 'secret' | 'referrerId' | 'expiresAt' | 'origin'>,
  { isReminder = false } = {},
): void {
  const organization = realmProperty(tx.sql, 'name')
  const referrer = findUser(tx.sql, invitation.referrerId)!
  const validity =
    invitation.expiresAt === null
      ? 'The link does not expire.'
      : `The link is good until ${new Date(invitation.expiresAt * 1_000).toUTCString()}.`
  queueEmail(tx, {
    recipient: invitation.email!,
    subject: isReminder
      ? `Reminder: join ${organization}`
      : `${referrer.fullName} has invited you to join ${organization}`,
    body: [
      `Hello,`,
      `${referrer.fullName} (${referrer.deliveryEmail}) wants you to join ${organization}, where the team talks.`,
      `To make your account, open this link:\n${invitationUrl(invitation.origin, invitation)}`,
      validity,
    ].join('\n\n'),
  })
}
