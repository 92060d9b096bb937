import { type RequestSource, rateLimitsOf } from '../../core/call.ts'
import { longestWindow } from '../../core/rate-limits.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { DAY } from '../../core/time.ts'
import { countAttempt } from '../attempts/count-attempt.ts'

/**
 * Counts a request that causes mail: `owner` is the account that asks or the address that gets it, or the
 * client's address where nobody is known. Answers the seconds to wait, instead of counting, when there have
 * been too many; else undefined. Source: docs/interface/conventions.md#rate-limits.
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
 * Counts a mail that says to somebody what was done with their account. False, instead of counting, when so many have gone that more
 * would say nothing new: whoever does such things without end fills nobody's inbox, and not the lane that all mail goes by.
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
 * The seconds for which counted requests for mail are kept, whatever they were counted for: all of it is in one table, and some
 * of it counts for a day.
 */
export function keptMailSeconds(source: RequestSource): number {
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
