import { type RequestSource, rateLimitsOf } from '../../core/call.ts'
import { BadRequestError } from '../../core/errors.ts'
import { clientNetwork, longestWindow, type RateLimit } from '../../core/rate-limits.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { DAY } from '../../core/time.ts'
import { isAddressPaused, putPausedAddress } from '../../store/emails/email-rows.ts'
import { findUserByEmail } from '../../store/users/user-rows.ts'
import { type Attempt, countAttempt, waitFor } from '../attempts/count-attempt.ts'
import { isKnownHere, withRoom } from '../attempts/networks-of-people.ts'
import { sendNotice } from '../sending/send-notice.ts'
import { textsFor } from './texts-for.ts'

/**
 * Counts a request of an account that causes mail. When there were too many, it does not count but returns the seconds to wait. Source:
 * docs/interface/conventions.md#rate-limits.
 */
export function countMailRequest(
  tx: RealmTransaction,
  source: RequestSource,
  owner: string,
): number | undefined {
  return countAttempt(tx, mailRequest(source, owner, rateLimitsOf(source).mailByUser))
}

/**
 * Counts a visitor's request for a mail to an address, known or not: for the address, and for the known browser or else the network that
 * asks. What others of a network have asked for keeps nobody from it who has logged in from there before. When there were too many, it does
 * not count but returns the seconds to wait. Source: docs/security.md#guessing.
 */
export function countMailOfVisitor(
  tx: RealmTransaction,
  source: RequestSource,
  kind: 'password-reset' | 'reactivation',
  address: string,
): number | undefined {
  const { mailByUser } = rateLimitsOf(source)
  const recipient = mailRequest(source, `${kind}:${address.toLowerCase()}`, mailByUser)
  const asker = askerOf(tx, source)
  if (waitFor(tx, asker) === 0) return countAttempt(tx, recipient, asker)
  const owner = findUserByEmail(tx.sql, address)
  return owner && isKnownHere(tx, source, owner.id)
    ? countAttempt(tx, recipient)
    : countAttempt(tx, recipient, asker)
}

function askerOf(tx: RealmReads, source: RequestSource): Attempt {
  const { mailByIp } = rateLimitsOf(source)
  if (source.browser) return mailRequest(source, `browser:${source.browser.id}`, mailByIp)
  const network = clientNetwork(source.ip)
  return withRoom(tx, mailRequest(source, `ip:${network}`, mailByIp), network)
}

function mailRequest(source: RequestSource, owner: string, limits: readonly RateLimit[]): Attempt {
  return { table: 'mail_request', owner, limits, keptSeconds: keptMailSeconds(source) }
}

/** The source of the deployment's limits. A job has no request, so the default limits apply to it. */
type Limited = Pick<RequestSource, 'deployment'>

/**
 * Counts a mail to an address that is not known to belong to an account. All such mail shares one count, whoever causes
 * it, so that no one is flooded with unrequested mail. When there was too much, it does not count but returns the seconds
 * to wait. Source: docs/security.md#guessing.
 */
export function countMailToStranger(
  tx: RealmTransaction,
  source: Limited,
  address: string,
): number | undefined {
  return countAttempt(tx, mailToStranger(source, address))
}

/** Counts a mail to each address, as `countMailToStranger` does. If some got too much, counts none, and returns those. */
export function countMailToStrangers(
  tx: RealmTransaction,
  source: Limited,
  addresses: readonly string[],
): readonly string[] {
  const refused = addresses.filter((address) => waitFor(tx, mailToStranger(source, address)) > 0)
  if (refused.length > 0) return refused
  countAttempt(tx, ...addresses.map((address) => mailToStranger(source, address)))
  return []
}

/** Returns the refusal of a change whose mail would exceed the limit. `wait`: seconds. */
export function tooManyAttempts(wait: number): BadRequestError {
  return new BadRequestError(`You're making too many attempts! Try again in ${Math.ceil(wait)} seconds.`)
}

function mailToStranger(source: Limited, address: string): Attempt {
  const { mailByUser } = rateLimitsOf(source)
  const longest = longestWindow(mailByUser)
  return {
    table: 'mail_request',
    owner: `stranger:${address.toLowerCase()}`,
    // Several people may invite the same person within an hour.
    limits: mailByUser.filter(({ seconds }) => seconds === longest),
    keptSeconds: keptMailSeconds(source),
  }
}

/** Counts a mail about a change of an account; false, without counting, once enough were sent, so that they cannot fill an inbox. */
export function mayMailOwner(tx: RealmTransaction, source: RequestSource, userId: number): boolean {
  const wait = countAttempt(tx, {
    table: 'mail_request',
    owner: `account ${userId}`,
    limits: rateLimitsOf(source).missedMailByUser,
    keptSeconds: keptMailSeconds(source),
  })
  return wait === undefined
}

/** Returns the seconds for which requests for mail are kept, in one table for all limits. */
export function keptMailSeconds(source: Limited): number {
  const { mailByUser, mailByIp, channelMail, mailReplies, missedMailByUser } = rateLimitsOf(source)
  const windows = longestWindow([
    ...mailByUser,
    ...mailByIp,
    ...channelMail,
    ...mailReplies,
    ...missedMailByUser,
  ])
  return Math.max(DAY, windows)
}

/** Pauses unrequested mail to an address that permanently refuses mail, and tells its owner, if it has one. */
export function pauseAddress(tx: RealmTransaction, address: string, reason: string): void {
  const user = findUserByEmail(tx.sql, address)
  if (!user?.isActive || user.botType !== null || isAddressPaused(tx.sql, user)) return
  putPausedAddress(tx.sql, user, { since: tx.now, reason })
  // The reason is shown as code, in which no markup has a meaning.
  const shown = reason.replaceAll(/[`\s]+/g, ' ').slice(0, 200)
  sendNotice(tx, {
    to: { user },
    content: textsFor(user).pausedAddress({ address: user.deliveryEmail, reason: shown }),
    origin: tx.origin,
  })
}
