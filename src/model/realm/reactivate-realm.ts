import type { Command } from '../../core/command.ts'
import { BadRequestError, NotFoundError, RateLimitHitError } from '../../core/errors.ts'
import type { RealmTransaction, RealmView } from '../../core/realm-transaction.ts'
import { closeConfirmationsOfKind } from '../../store/confirmations/confirmation-rows.ts'
import { requireRoomForEmail } from '../../store/emails/email-rows.ts'
import { isRealmDeactivated, realmProperty, writeRealmSetting } from '../../store/realm/realm-setting-rows.ts'
import { findUserByEmail, type User } from '../../store/users/user-rows.ts'
import type { Anyone } from '../caller.ts'
import { openConfirmation, requireConfirmation } from '../confirmations/confirmation.ts'
import { accountOfNobody, queueLetter } from '../emails/letter.ts'
import { askerOf, countMailRequest } from '../emails/mail-limits.ts'
import { textsFor } from '../emails/texts/texts-for.ts'
import { getsMail } from '../notifications/notifiable-users.ts'
import { isEmailAddress } from '../users/addresses/email-rules.ts'
import { REACTIVATION_PATH } from './deactivate-realm.ts'
import { planDeletion, plannedDeletion } from './realm-deletion.ts'

/** Facts that the pages show. */
export interface ShownReactivation {
  readonly organization: string
}

/**
 * Sends a link for reopening a closed organization to the address, if it is an owner's. The answer does not
 * reveal whether it is: every address is counted alike, and the same rows are written.
 */
export const askReactivation: Command<Anyone, { readonly email: string }, void, object> = {
  apply(tx, { source }, { email }) {
    if (!isRealmDeactivated(tx.sql)) throw new BadRequestError('This organization is open.')
    const address = email.trim()
    if (!isEmailAddress(address)) throw new BadRequestError('Enter a valid email address.')
    const wait =
      countMailRequest(tx, source, 'mailByIp', askerOf(source)) ??
      countMailRequest(tx, source, 'mailByUser', `reactivation:${address.toLowerCase()}`)
    if (wait !== undefined) throw new RateLimitHitError(wait)
    requireRoomForEmail(tx.sql)
    const user = findUserByEmail(tx.sql, address)
    const account = user && isOwner(user) ? user : accountOfNobody(tx)
    if (account) mailLink(tx, account, source.origin)
    return {}
  },
}

function mailLink(tx: RealmTransaction, user: User, origin: string): void {
  const email = user.deliveryEmail
  const secret = openConfirmation(tx, { kind: 'realm-reactivation', userId: user.id, email, newEmail: null })
  const organization = realmProperty(tx.sql, 'name')
  const texts = textsFor(user)
  queueLetter(tx, texts, {
    recipient: email,
    subject: texts.reopenedOrganization.subject(organization),
    paragraphs: [
      texts.greeting(user.fullName),
      texts.reopenedOrganization.happened(organization),
      texts.reopenedOrganization.link(`${origin}${REACTIVATION_PATH}/${secret}`),
      texts.reopenedOrganization.validity,
    ],
  })
}

export const showReactivation: Command<Anyone, { readonly secret: string }, void, ShownReactivation> = {
  apply(tx, _anyone, { secret }) {
    requireOpenLink(tx, secret)
    return { organization: realmProperty(tx.sql, 'name') }
  },
}

/** Opens the organization as it was: jobs that were due meanwhile are late, and nothing else has changed. */
export const reactivateRealm: Command<Anyone, { readonly secret: string }, void, ShownReactivation> = {
  apply(tx, _anyone, { secret }) {
    requireOpenLink(tx, secret)
    closeConfirmationsOfKind(tx.sql, 'realm-reactivation')
    writeRealmSetting(tx.sql, 'deactivated', false)
    if (plannedDeletion(tx.sql) !== null) planDeletion(tx, null)
    return { organization: realmProperty(tx.sql, 'name') }
  },
}

/**
 * @throws NotFoundError when the link is used, replaced or expired, or its recipient is no longer an owner.
 */
function requireOpenLink(view: RealmView, secret: string): void {
  const { user } = requireConfirmation(view, 'realm-reactivation', secret)
  if (!isOwner(user)) throw new NotFoundError('This link is not valid any more.')
}

function isOwner(user: User): boolean {
  return user.role === 100 && getsMail(user)
}
