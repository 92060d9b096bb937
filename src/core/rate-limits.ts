import { DAY, HOUR, MINUTE } from './time.ts'

/** A limit: so many requests in so many seconds. */
export interface RateLimit {
  readonly requests: number
  readonly seconds: number
}

/**
 * The limits of each bucket where a deployment has not set others; a request must keep to every limit of its
 * bucket. Source: docs/interface/conventions.md#rate-limits.
 */
export const DEFAULT_RATE_LIMITS = {
  /** Requests of an account, all endpoints together. */
  user: [{ requests: 200, seconds: MINUTE }],
  /** GET and DELETE /events of an account. */
  events: [{ requests: 200, seconds: MINUTE }],
  /** Requests without credentials, from one network; and apart from them, those with wrong ones. */
  anonymous: [{ requests: 100, seconds: MINUTE }],
  /** Pictures of other servers that have to be fetched, for one network. */
  picturesByIp: [{ requests: 300, seconds: MINUTE }],
  /** Fetched pictures of an organization, for all networks together. */
  pictures: [{ requests: 3_000, seconds: MINUTE }],
  /** One file, or one picture of a person, for all who have no account together (docs/interface/visitors.md#files-and-pictures). */
  perThing: [{ requests: 1_000, seconds: DAY }],
  /** Passwords that were wrong, for one name. */
  logins: [{ requests: 5, seconds: 30 * MINUTE }],
  /** Passwords that were wrong, from one network, whatever the names. */
  loginsByIp: [{ requests: 50, seconds: 30 * MINUTE }],
  /** The same for an organization, from all networks together that nobody has logged in from before. */
  loginsOfStrangers: [{ requests: 100, seconds: 30 * MINUTE }],
  /** Mail that one account has sent, or that is sent to one. */
  mailByUser: [
    { requests: 2, seconds: HOUR },
    { requests: 5, seconds: DAY },
  ],
  /** Mail that is asked for without an account, from one network. */
  mailByIp: [{ requests: 5, seconds: DAY }],
  /** Mail that comes to the addresses of an organization's channels, all together (docs/interface/notifications.md#mail-that-comes). */
  channelMail: [
    { requests: 50, seconds: MINUTE },
    { requests: 120, seconds: 5 * MINUTE },
    { requests: 600, seconds: HOUR },
  ],
  /** Mail with which one account answers mail of missed messages. */
  mailReplies: [
    { requests: 20, seconds: MINUTE },
    { requests: 200, seconds: HOUR },
  ],
  /** Mail of missed messages that one person gets: what comes beyond it waits, and comes together. */
  missedMailByUser: [{ requests: 30, seconds: HOUR }],
  /** Mails of missed messages that an organization sends, in a period of the clock: mail services take more for a flood. */
  missedMail: [{ requests: 5_000, seconds: HOUR }],
} as const satisfies Record<string, readonly RateLimit[]>

export type RateLimitBucket = keyof typeof DEFAULT_RATE_LIMITS
export type RateLimits = Readonly<Record<RateLimitBucket, readonly RateLimit[]>>

/** The longest time that these limits look back, in seconds. */
export function longestWindow(limits: readonly RateLimit[]): number {
  return Math.max(...limits.map(({ seconds }) => seconds))
}

/** The seconds until one more request keeps to all limits; 0 when it does now. `earlier`: UNIX seconds, ascending. */
export function secondsToWait(earlier: readonly number[], limits: readonly RateLimit[], now: number): number {
  const waits = limits.map(({ requests, seconds }) => {
    const recent = earlier.filter((at) => at > now - seconds)
    return recent.length < requests ? 0 : recent.at(-requests)! + seconds - now
  })
  return Math.max(...waits)
}
