import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { DAY, HOUR } from '../../core/time.ts'
import { insertMailRequest, mailRequestsSince, sweepMailRequests } from './mail-request-rows.ts'

/** How many requests may cause mail in how many seconds. Source: behaviour 0.4. */
interface MailLimit {
  readonly requests: number
  readonly seconds: number
}

/** By one account, or to one address. */
export const PER_ACCOUNT: readonly MailLimit[] = [
  { requests: 2, seconds: HOUR },
  { requests: 5, seconds: DAY },
]
/** By one client without an account. */
export const PER_IP: readonly MailLimit[] = [{ requests: 5, seconds: DAY }]

/**
 * Counts a request, in storage: an eviction must not give new ones. Answers the seconds to wait, instead
 * of counting, when there have been too many; else undefined.
 */
export function countMailRequest(
  tx: RealmTransaction,
  bucket: string,
  limits: readonly MailLimit[],
): number | undefined {
  const earlier = mailRequestsSince(tx.sql, bucket, tx.now - DAY)
  const waits = limits.map(({ requests, seconds }) => {
    const inWindow = earlier.filter((at) => at > tx.now - seconds)
    return inWindow.length < requests ? 0 : inWindow.at(-requests)! + seconds - tx.now
  })
  const wait = Math.max(...waits)
  if (wait > 0) return wait
  sweepMailRequests(tx.sql, tx.now - DAY)
  insertMailRequest(tx.sql, bucket, tx.now)
  return undefined
}
