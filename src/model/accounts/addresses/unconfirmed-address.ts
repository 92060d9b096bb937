import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import { HOUR } from '../../../core/time.ts'
import { hasRoomForEmail } from '../../../store/emails/email-rows.ts'
import { isRealmDeactivated, realmProperty } from '../../../store/realm/realm-setting-rows.ts'
import { changeUser, findUser, type User } from '../../../store/users/user-rows.ts'
import { openConfirmation } from '../../confirmations/confirmation.ts'
import { queueLetter } from '../../emails/letter.ts'
import { countMailToStranger } from '../../emails/mail-limits.ts'
import { textsFor } from '../../emails/texts-for.ts'
import { endInvitationsTo } from '../../invitations/standing-invitation.ts'
import { announcePicture } from '../avatar-of-user.ts'

/*
 * An unconfirmed address is one that a user has entered where no mail could be sent. It gets no mail but the one that
 * confirms it, and its account shows no picture of another service. Source:
 * docs/interface/invitations.md#without-a-mail-service.
 */

/** Seconds between two checks for a mail service. */
const LOOKS_AGAIN = HOUR

export function expectConfirmation(tx: RealmTransaction, { id }: User): void {
  tx.schedule({ kind: 'confirm-address', key: String(id), dueAt: tx.now + LOOKS_AGAIN })
}

/** Mails the link once; the user can request it again. Returns when to check again (UNIX seconds). */
export function requestConfirmation(tx: RealmTransaction, userId: number): number | undefined {
  const user = findUser(tx.sql, userId)
  // One that somebody else has set is confirmed by the account's person alone, who may have another mailbox (give-address.ts).
  if (!user?.isActive || user.isEmailConfirmed || user.formerEmail !== null) return undefined
  if (!tx.sendsMail() || isRealmDeactivated(tx.sql) || !hasRoomForEmail(tx.sql)) return tx.now + LOOKS_AGAIN
  if (countMailToStranger(tx, {}, user.deliveryEmail) === undefined) mailConfirmation(tx, user, tx.origin)
  return undefined
}

/** Mails a link that confirms the account's present address. */
export function mailConfirmation(tx: RealmTransaction, user: User, origin: string): void {
  const address = user.deliveryEmail
  const secret = openConfirmation(tx, 'email-change', user, address)
  const organization = realmProperty(tx.sql, 'name')
  const texts = textsFor(user)
  queueLetter(tx, texts, {
    recipient: address,
    subject: texts.addressProof.subject(organization),
    paragraphs: [
      texts.greeting(),
      texts.addressProof.happened({ name: user.fullName, organization }),
      texts.addressCheck.link(`${origin}/accounts/confirm-email/${secret}`),
      texts.addressProof.validity,
    ],
  })
}

/** Confirms a user's address: it gets mail from now on, and invitations to it end. */
export function confirmAddress(tx: RealmTransaction, user: User): User {
  if (user.isEmailConfirmed) return user
  changeUser(tx.sql, user.id, { isEmailConfirmed: true, formerEmail: null })
  const confirmed = findUser(tx.sql, user.id)!
  announcePicture(tx, user, confirmed)
  endInvitationsTo(tx, user.deliveryEmail)
  return confirmed
}
