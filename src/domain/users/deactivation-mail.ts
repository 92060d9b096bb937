import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Caller } from '../caller.ts'
import { queueEmail } from '../emails/email-rows.ts'
import { realmProperty } from '../realm/realm-setting-rows.ts'
import type { User } from './user-rows.ts'

/** Tells people that their account was closed, and what who closed it has to say. Source: core-endpoints 12. */
export function mailDeactivation(tx: RealmTransaction, caller: Caller, user: User, comment: string): void {
  const organization = realmProperty(tx.sql, 'name')
  const { fullName } = caller.user
  queueEmail(tx, {
    recipient: user.deliveryEmail,
    subject: `Your account at ${organization} has been deactivated`,
    body: [
      'Hello,',
      `${fullName} has deactivated your account (${user.deliveryEmail}) at ${organization}. You can no longer log in.`,
      ...(comment === '' ? [] : [`${fullName} writes:\n${comment.replace(/^/gm, '> ')}`]),
    ].join('\n\n'),
  })
}
