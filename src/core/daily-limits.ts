import { ServiceUnavailableError } from './errors.ts'
import type { LimitCode, MetLimit } from './met-limit.ts'
import { DAY, HOUR } from './time.ts'

/** What the platform says when a day's allowance of its free plan is used up: of objects, and of D1. */
const USED_UP =
  /Exceeded allowed (?:volume of requests|duration|rows (?:read|written)) in Durable Objects free tier|exceeded D1's free tier daily row (?:read|write) limit/

/** What it says when the account has spent what it may in a month (docs/deploying.md#a-spending-limit). */
const SPENT = /Exceeded the account's spending cap/

/** Seconds after midnight within which those who were refused come again. */
const SPREAD_SECONDS = 300

/**
 * Refuses (503) until the platform's free plan allows more, at 00:00 UTC (docs/operations.md#the-free-plan). What an account may spend is
 * raised at any time, so it is asked for again every hour.
 */
export class DailyLimitError extends ServiceUnavailableError {
  /** UNIX seconds, some time after midnight, so that not all come at once. */
  readonly until: number

  /** @param now UNIX seconds */
  constructor(now: number, isSpent = false) {
    const earliest = isSpent ? now + HOUR : (Math.floor(now / DAY) + 1) * DAY
    const until = Math.ceil(earliest + Math.random() * SPREAD_SECONDS)
    const [msg, code] = isSpent
      ? [
          'This server has used up what its account may spend at Cloudflare this month. It goes on when the limit is raised, or next month.',
          'SPENDING_LIMIT_REACHED',
        ]
      : [
          "This server has used up what Cloudflare's free plan allows for a day. It goes on at 00:00 UTC.",
          'DAILY_LIMIT_REACHED',
        ]
    super(Math.ceil(until - now), msg, code)
    this.until = until
  }

  /** The limit as met by work that no request waits for. */
  metAt(now: number): MetLimit {
    return { code: this.code as LimitCode, since: now, last: now, refused: 0 }
  }
}

/** Returns the refusal if this failure of the platform is a daily limit, or the account's spending limit. `now`: UNIX seconds. */
export function dailyLimitOf(error: unknown, now = Date.now() / 1_000): DailyLimitError | undefined {
  if (error instanceof DailyLimitError) return error
  const text = String(error)
  const isSpent = SPENT.test(text)
  return isSpent || USED_UP.test(text) ? new DailyLimitError(now, isSpent) : undefined
}
