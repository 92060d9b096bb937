import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import type { Caller } from '../../../model/caller.ts'
import { queueLetter } from '../../../model/emails/letter.ts'
import { countMailToStranger } from '../../../model/emails/mail-limits.ts'
import { textsFor } from '../../../model/emails/texts/texts-for.ts'
import { realmProperty } from '../../../store/realm/realm-setting-rows.ts'
import type { User } from '../../../store/users/user-rows.ts'

/**
 * Notifies people that their account was closed, with the comment of the person who closed it. Source:
 * docs/interface/users.md#close-and-open-an-account.
 */
export function mailDeactivation(tx: RealmTransaction, caller: Caller, user: User, comment: string): void {
  if (!user.isEmailConfirmed) return
  // Accounts can be closed and opened again without end.
  if (countMailToStranger(tx, caller.source, user.deliveryEmail) !== undefined) return
  const texts = textsFor(user)
  const { closedAccount } = texts
  const organization = realmProperty(tx.sql, 'name')
  const { fullName } = caller.user
  queueLetter(tx, texts, {
    recipient: user.deliveryEmail,
    subject: closedAccount.subject(organization),
    paragraphs: [
      texts.greeting(),
      closedAccount.happened(fullName, user.deliveryEmail, organization),
      ...(comment === '' ? [] : [`${closedAccount.comment(fullName)}\n${comment.replace(/^/gm, '> ')}`]),
    ],
  })
}
