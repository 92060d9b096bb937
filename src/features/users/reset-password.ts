import * as v from 'valibot'
import { defineStep } from '../../api/define-endpoint.ts'
import { digest, entered, inAddress } from '../../api/step-types.ts'
import type { RequestSource } from '../../core/call.ts'
import { BadRequestError, RateLimitHitError } from '../../core/errors.ts'
import type { RealmTransaction, RealmView } from '../../core/realm-transaction.ts'
import { confirmAddress } from '../../model/accounts/addresses/unconfirmed-address.ts'
import { replaceApiKey } from '../../model/accounts/login/api-key.ts'
import { requirePasswordLogin } from '../../model/accounts/login/fetch-api-key.ts'
import { openConfirmation, requireConfirmation } from '../../model/confirmations/confirmation.ts'
import { mailCredentialChange } from '../../model/emails/account-mails.ts'
import { accountOfNobody, queueLetterTo } from '../../model/emails/letter.ts'
import { countMailOfVisitor, countMailToStranger } from '../../model/emails/mail-limits.ts'
import { isEmailAddress } from '../../model/users/addresses/email-rules.ts'
import { passNewPassword } from '../../model/users/login/login-attempts.ts'
import { requirePasswordLength } from '../../model/users/login/password-rules.ts'
import { endSessions } from '../../model/users/login/sessions.ts'
import { closeConfirmations } from '../../store/confirmations/confirmation-rows.ts'
import { requireRoomForEmail } from '../../store/emails/email-rows.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { changeUser, findUserByEmail, findUserByFormerEmail, type User } from '../../store/users/user-rows.ts'

/**
 * Sends a link for a forgotten password to the address, if an account has it. The answer does not reveal that: every address is counted
 * alike, and the same rows are written. Source: docs/interface/conventions.md#rate-limits.
 */
export const askPasswordResetStep = defineStep({
  operation: 'ask-password-reset',
  access: 'anyone',
  params: { email: entered },
  apply(tx, { source }, { email }) {
    requirePasswordLogin(tx.sql)
    const address = email.trim()
    if (!isEmailAddress(address)) throw new BadRequestError('Enter a valid email address.')
    const wait = countMailOfVisitor(tx, source, 'password-reset', address)
    if (wait !== undefined) throw new RateLimitHitError(wait)
    requireRoomForEmail(tx.sql)
    const user = findUserByEmail(tx.sql, address) ?? findUserByFormerEmail(tx.sql, address)
    const isKnown = user?.isActive && user.botType === null && isMailed(tx, user, source)
    const account = isKnown ? user : accountOfNobody(tx)
    if (account) mailReset(tx, account, source.origin)
  },
  audit: { because: 'Sends mail, which has limits of its own; reset-password records the outcome.' },
})

/** The content of the page behind the link. */
export interface ShownPasswordReset {
  readonly organization: string
  readonly email: string
  readonly user_id: number
}

export const showPasswordResetStep = defineStep({
  operation: 'show-password-reset',
  access: 'anyone',
  params: { secret: inAddress },
  apply(tx, _anyone, { secret }): ShownPasswordReset {
    const user = requireOpenReset(tx, secret)
    return shownOf(tx, user)
  },
  audit: 'read-only',
})

/**
 * Gives the account its new password and a new key, so that the old ones are useless. The link is used up, and failed logins are forgotten.
 * Source: docs/decisions/interface.md#stricter-than-the-public-server.
 */
export const resetPasswordStep = defineStep({
  operation: 'reset-password',
  access: 'anyone',
  params: { secret: inAddress, password: entered, password_hash: v.optional(digest) },
  apply(tx, { source }, { secret, password, password_hash }): ShownPasswordReset {
    const user = requireOpenReset(tx, secret)
    requirePasswordLength(password)
    changeUser(tx.sql, user.id, { passwordHash: password_hash ?? null })
    replaceApiKey(tx, user)
    endSessions(tx, user.id)
    closeConfirmations(tx.sql, user.id, 'password-reset')
    passNewPassword(tx, source, user)
    // Opening the link proves that the user received the mail: at the present address, unless somebody else has set that.
    mailCredentialChange(tx, user.formerEmail === null ? confirmAddress(tx, user) : user, source, 'password')
    return shownOf(tx, user)
  },
  audit: ({ view, value }) => {
    const { id } = findUserByEmail(view.sql, value.email)!
    return { action: 'password_reset', actorId: id, details: { user_id: id } }
  },
})

/** An unconfirmed address gets the link, which also confirms it, as often as any mail to a stranger. */
function isMailed(
  tx: RealmTransaction,
  { isEmailConfirmed, deliveryEmail, formerEmail }: User,
  source: RequestSource,
): boolean {
  if (isEmailConfirmed) return true
  // The link goes to the address that the user has confirmed, unless it is another account's by now.
  if (formerEmail !== null) return formerEmail !== '' && findUserByEmail(tx.sql, formerEmail) === undefined
  return tx.sendsMail() && countMailToStranger(tx, source, deliveryEmail) === undefined
}

function mailReset(tx: RealmTransaction, user: User, origin: string): void {
  const secret = openConfirmation(tx, 'password-reset', user)
  queueLetterTo(tx, user, (texts, organization) => ({
    subject: texts.passwordReset.subject(organization),
    paragraphs: [
      texts.passwordReset.happened(organization),
      texts.passwordReset.link(`${origin}/accounts/password/reset/${secret}`),
      texts.passwordReset.validity,
    ],
  }))
}

function shownOf({ sql }: RealmView, { deliveryEmail: email, id: user_id }: User): ShownPasswordReset {
  return { organization: realmProperty(sql, 'name'), email, user_id }
}

function requireOpenReset(view: RealmView, secret: string): User {
  requirePasswordLogin(view.sql)
  return requireConfirmation(view, 'password-reset', secret).user
}
