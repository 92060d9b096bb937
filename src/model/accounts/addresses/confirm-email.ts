import { BadRequestError } from '../../../core/errors.ts'
import type { RealmReads, RealmTransaction } from '../../../core/realm-transaction.ts'
import type { Sql } from '../../../core/sql.ts'
import { DAY } from '../../../core/time.ts'
import { isAdministrator } from '../../../rules/roles.ts'
import { attemptsWithin, insertAttempt } from '../../../store/attempts/attempt-rows.ts'
import { closeConfirmations } from '../../../store/confirmations/confirmation-rows.ts'
import { deletePausedAddress } from '../../../store/emails/email-rows.ts'
import { realmProperty } from '../../../store/realm/realm-setting-rows.ts'
import { findUserByEmail, type User } from '../../../store/users/user-rows.ts'
import type { Anyone, Caller } from '../../caller.ts'
import { openConfirmation, requireConfirmation } from '../../confirmations/confirmation.ts'
import { queueLetter } from '../../emails/letter.ts'
import { countMailRequest, countMailToStranger, tooManyAttempts } from '../../emails/mail-limits.ts'
import { textsFor } from '../../emails/texts-for.ts'
import { invalidInvitees, knownInvitees } from '../../invitations/invitee-addresses.ts'
import { changeEmail } from './change-email.ts'
import { confirmAddress, mailConfirmation } from './unconfirmed-address.ts'

/** Begins a change of address by a mail to the new one, with a link that makes the change. */
export function requestEmailChange(tx: RealmTransaction, { user, source }: Caller, wanted: string): void {
  const address = wanted.trim()
  if (address === '') return
  if (address === user.deliveryEmail) {
    requestOwnConfirmation(tx, { user, source })
    return
  }
  requireFewTaken(tx, user)
  requireAllowedChange(tx, user, address)
  requireFewMails(tx, { user, source }, address)
  const secret = openConfirmation(tx, 'email-change', user, address)
  const organization = realmProperty(tx.sql, 'name')
  const texts = textsFor(user)
  queueLetter(tx, texts, {
    recipient: address,
    subject: texts.addressCheck.subject(organization),
    paragraphs: [
      texts.greeting(user.fullName),
      texts.addressCheck.happened({ organization, oldAddress: user.deliveryEmail }),
      texts.addressCheck.link(`${source.origin}/accounts/confirm-email/${secret}`),
      texts.addressCheck.validity,
    ],
  })
}

/** Follows the entry of one's present address: mail to it is no longer paused, and an unconfirmed one gets a link. */
function requestOwnConfirmation(tx: RealmTransaction, caller: Pick<Caller, 'user' | 'source'>): void {
  const { user, source } = caller
  deletePausedAddress(tx.sql, user.id)
  if (user.isEmailConfirmed || !tx.sendsMail()) return
  requireFewMails(tx, caller, user.deliveryEmail)
  mailConfirmation(tx, user, source.origin)
}

function requireFewMails(
  tx: RealmTransaction,
  { user, source }: Pick<Caller, 'user' | 'source'>,
  address: string,
): void {
  const wait =
    countMailRequest(tx, source, `email-change:${user.id}`) ?? countMailToStranger(tx, source, address)
  if (wait !== undefined) throw tooManyAttempts(wait)
}

/** Limit of other people's addresses that an account may request in a day: more would be a search for people. */
const MAX_TAKEN = 10

const takenKey = ({ id }: User) => `address-taken:${id}`

function takenWithinDay({ sql, now }: RealmReads, user: User): number[] {
  return attemptsWithin(sql, 'mail_request', takenKey(user), { seconds: DAY, now })
}

function requireFewTaken(tx: RealmReads, user: User): void {
  const refused = takenWithinDay(tx, user)
  if (refused.length < MAX_TAKEN) return
  const wait = Math.max(Math.ceil(refused.at(-MAX_TAKEN)! + DAY - tx.now), 1)
  throw tooManyAttempts(wait)
}

/** Counts a refused address that belongs to another user. */
export function countTaken(tx: RealmTransaction, user: User, wanted: string): void {
  const holder = findUserByEmail(tx.sql, wanted)
  if (!holder || holder.id === user.id) return
  if (takenWithinDay(tx, user).length >= MAX_TAKEN) return
  insertAttempt(tx.sql, 'mail_request', takenKey(user), tx.now)
}

function requireAllowedChange(tx: RealmReads, user: User, address: string): void {
  if (realmProperty(tx.sql, 'email_changes_disabled') && !isAdministrator(user)) {
    throw new BadRequestError('Email address changes are disabled in this organization.')
  }
  const problem = addressProblem(tx.sql, user, address)
  if (problem !== undefined) throw new BadRequestError(problem)
}

/** The facts on the page behind the link. */
export interface ShownEmailChange {
  readonly organization: string
  readonly name: string
  readonly email: string
  readonly newEmail: string
}

export function showEmailChange(
  tx: RealmTransaction,
  _anyone: Anyone,
  { secret }: { readonly secret: string },
): ShownEmailChange {
  const { user, newEmail } = requireOpenChange(tx, secret)
  return {
    organization: realmProperty(tx.sql, 'name'),
    name: user.fullName,
    email: user.deliveryEmail,
    newEmail,
  }
}

export interface ConfirmedEmail {
  readonly email: string
  /** Whether the account had another one before. */
  readonly isNew: boolean
}

/** Makes the change, if it is still allowed; or confirms the account's present address. */
export function confirmEmailChange(
  tx: RealmTransaction,
  { source }: Anyone,
  { secret }: { readonly secret: string },
): ConfirmedEmail {
  const { user, newEmail } = requireOpenChange(tx, secret)
  const isNew = newEmail !== user.deliveryEmail
  if (isNew) {
    requireAllowedChange(tx, user, newEmail)
    changeEmail(tx, user, newEmail, source)
  } else confirmAddress(tx, user)
  closeConfirmations(tx.sql, user.id, 'email-change')
  return { email: newEmail, isNew }
}

function requireOpenChange(tx: RealmReads, secret: string): { user: User; newEmail: string } {
  const { user, confirmation } = requireConfirmation(tx, 'email-change', secret)
  return { user, newEmail: confirmation.newEmail! }
}

/** Returns why an account may not have an address, in the words of invitations; undefined if it may. Its own in another case is allowed. */
export function addressProblem(sql: Sql, user: User, address: string): string | undefined {
  const isOwn = findUserByEmail(sql, address)?.id === user.id
  const [problem] = [...invalidInvitees(sql, [address]), ...(isOwn ? [] : knownInvitees(sql, [address]))]
  return problem?.[1]
}
