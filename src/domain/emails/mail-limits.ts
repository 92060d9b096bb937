import { type RequestSource, rateLimitsOf } from '../../core/call.ts'
import { longestWindow } from '../../core/rate-limits.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { DAY } from '../../core/time.ts'
import { countAttempt } from '../attempts/count-attempt.ts'

/**
 * Counts a request that causes mail. `owner`: the account that asks or the address that gets it, or the
 * client's address where neither is known. When there have been too many it returns the seconds to wait,
 * without counting; else undefined. Source: docs/interface/conventions.md#rate-limits.
 */
export function countMailRequest(
  tx: RealmTransaction,
  source: RequestSource,
  bucket: 'mailByUser' | 'mailByIp',
  owner: string,
): number | undefined {
  const limits = rateLimitsOf(source)
  return countAttempt(tx, {
    table: 'mail_request',
    owner,
    limits: limits[bucket],
    keptSeconds: keptMailSeconds(source),
  })
}

/**
 * Counts a mail to an address that is not known to belong to an account: one count for all kinds of such mail, whoever causes it, so
 * that nobody is mailed without end who has asked for nothing. When there have been too many it returns the seconds to wait,
 * without counting; else undefined. Source: docs/security.md#guessing.
 */
export function countMailToStranger(
  tx: RealmTransaction,
  source: Pick<RequestSource, 'deployment'>,
  address: string,
): number | undefined {
  const { mailByUser } = rateLimitsOf(source)
  const longest = longestWindow(mailByUser)
  return countAttempt(tx, {
    table: 'mail_request',
    owner: `stranger:${address.toLowerCase()}`,
    // Several people may invite the same person within an hour.
    limits: mailByUser.filter(({ seconds }) => seconds === longest),
    keptSeconds: keptMailSeconds(source),
  })
}

/**
 * Counts a mail about a change of somebody's account. False, without counting, when so many were sent that
 * more would say nothing new: nobody can fill another's inbox, nor the queue of all mail, by repeating such
 * changes.
 */
export function mayMailOwner(tx: RealmTransaction, source: RequestSource, userId: number): boolean {
  const wait = countAttempt(tx, {
    table: 'mail_request',
    owner: `account ${userId}`,
    limits: rateLimitsOf(source).missedMailByUser,
    keptSeconds: keptMailSeconds(source),
  })
  return wait === undefined
}

/**
 * Returns the seconds for which counted requests for mail are kept, whatever their limits: all are in one
 * table, and some count for a day.
 */
export function keptMailSeconds(source: Pick<RequestSource, 'deployment'>): number {
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
