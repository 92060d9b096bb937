import { DAY, HOUR, MINUTE } from './time.ts'

/** A limit: a number of requests in a number of seconds. */
export interface RateLimit {
  readonly requests: number
  readonly seconds: number
}

/**
 * The limits of each bucket that a deployment has not set itself; a request must keep to every limit of its
 * bucket. Source: docs/interface/conventions.md#rate-limits.
 */
export const DEFAULT_RATE_LIMITS = {
  /** Requests of an account, all endpoints together. */
  user: [{ requests: 200, seconds: MINUTE }],
  /** GET and DELETE /events of an account. */
  events: [{ requests: 200, seconds: MINUTE }],
  /** Calls that an account makes: each is a room or a meeting at another service. */
  calls: [{ requests: 30, seconds: HOUR }],
  /**
   * Requests without credentials, from one network; requests with wrong credentials are counted separately
   * with the same limit.
   */
  anonymous: [{ requests: 100, seconds: MINUTE }],
  /**
   * Requests that log in, or ask how to, from one network: a whole office comes at nine o'clock through one address, and makes a few each.
   */
  doors: [{ requests: 2_000, seconds: MINUTE }],
  /** Pictures of other servers that have to be fetched, for one network. */
  picturesByIp: [{ requests: 300, seconds: MINUTE }],
  /** Fetched pictures of an organization, for all networks together. */
  pictures: [{ requests: 3_000, seconds: MINUTE }],
  /** Requests of an identity provider that provisions accounts of an organization. */
  provisioning: [{ requests: 1_500, seconds: MINUTE }],
  /**
   * One file, or one picture of a person, for everybody without an account together
   * (docs/interface/visitors.md#files-and-pictures).
   */
  perThing: [{ requests: 1_000, seconds: DAY }],
  /** Wrong passwords for one name, from one known network, from all others together, or in one known browser. */
  logins: [{ requests: 5, seconds: 30 * MINUTE }],
  /**
   * Passwords that are checked for one name, right or wrong, in known browsers of one account, and by one account that is logged in, since each
   * takes HASHING_MS: an account has a fiftieth of a thread at most, whatever the number of its networks and browsers.
   */
  passwordChecks: [{ requests: 30, seconds: 10 * MINUTE }],
  /** Wrong passwords from one network, whatever the names. */
  loginsByIp: [{ requests: 50, seconds: 30 * MINUTE }],
  /**
   * Wrong passwords for an organization, from all networks together from which nobody has logged in before.
   */
  loginsOfStrangers: [{ requests: 100, seconds: 30 * MINUTE }],
  /** Wrong codes of an account's second factor, from one network. */
  codes: [
    { requests: 10, seconds: 10 * MINUTE },
    { requests: 50, seconds: DAY },
  ],
  /** Those from all networks together from which nobody has logged in before: a guess in a million a code, twenty a day. */
  codesOfStrangers: [{ requests: 20, seconds: DAY }],
  /** Mail that one account causes, or that is sent to one account. */
  mailByUser: [
    { requests: 2, seconds: HOUR },
    { requests: 5, seconds: DAY },
  ],
  /** Mail that a visitor without an account asks for, from one network. */
  mailByIp: [{ requests: 5, seconds: DAY }],
  /**
   * Mail to the addresses of an organization's channels, all together
   * (docs/interface/notifications.md#mail-that-comes).
   */
  channelMail: [
    { requests: 50, seconds: MINUTE },
    { requests: 120, seconds: 5 * MINUTE },
    { requests: 600, seconds: HOUR },
  ],
  /** Replies of one account to mail about missed messages. */
  mailReplies: [
    { requests: 20, seconds: MINUTE },
    { requests: 200, seconds: HOUR },
  ],
  /** Mail about missed messages that one person gets; further messages wait, and come together. */
  missedMailByUser: [{ requests: 30, seconds: HOUR }],
  /**
   * Mail about missed messages that an organization sends in a period of the clock: mail services may take
   * more for a flood.
   */
  missedMail: [{ requests: 5_000, seconds: HOUR }],
} as const satisfies Record<string, readonly RateLimit[]>

export type RateLimitBucket = keyof typeof DEFAULT_RATE_LIMITS
export type RateLimits = Readonly<Record<RateLimitBucket, readonly RateLimit[]>>

/** Returns the longest window of these limits, in seconds. */
export function longestWindow(limits: readonly RateLimit[]): number {
  return Math.max(...limits.map(({ seconds }) => seconds))
}

/**
 * Returns the seconds until one more request keeps to all limits; 0 if it does now. `earlier`: UNIX seconds,
 * ascending.
 */
export function secondsToWait(earlier: readonly number[], limits: readonly RateLimit[], now: number): number {
  const waits = limits.map(({ requests, seconds }) => {
    return countAfter(earlier, now - seconds) < requests ? 0 : earlier.at(-requests)! + seconds - now
  })
  return Math.max(...waits)
}

/** Counts the times after `since`. `times`: ascending. */
export function countAfter(times: readonly number[], since: number): number {
  const first = times.findIndex((at) => at > since)
  return first < 0 ? 0 : times.length - first
}
