import { ServiceUnavailableError } from './errors.ts'
import { DAY } from './time.ts'

/** What the platform says when a day's allowance of its free plan is used up: of objects, and of D1. */
const USED_UP =
  /Exceeded allowed (?:volume of requests|duration|rows (?:read|written)) in Durable Objects free tier|exceeded D1's free tier daily row (?:read|write) limit/

/** Seconds after midnight within which those who were refused come again. */
const SPREAD_SECONDS = 300

/** Refuses (503) until the platform's free plan allows more, at 00:00 UTC (docs/operations.md#the-free-plan). */
export class DailyLimitError extends ServiceUnavailableError {
  /** UNIX seconds, some time after midnight, so that not all come at once. */
  readonly until: number

  /** @param now UNIX seconds */
  constructor(now: number) {
    const until = Math.ceil((Math.floor(now / DAY) + 1) * DAY + Math.random() * SPREAD_SECONDS)
    super(
      Math.ceil(until - now),
      "This server has used up what Cloudflare's free plan allows for a day. It goes on at 00:00 UTC.",
      'DAILY_LIMIT_REACHED',
    )
    this.until = until
  }
}

/** Returns the refusal if this failure of the platform is a daily limit. `now`: UNIX seconds. */
export function dailyLimitOf(error: unknown, now = Date.now() / 1_000): DailyLimitError | undefined {
  if (error instanceof DailyLimitError) return error
  return USED_UP.test(String(error)) ? new DailyLimitError(now) : undefined
}
