import ipaddr from 'ipaddr.js'
import { logSettingProblem } from './deployment-settings.ts'
import { DAY, HOUR, MINUTE } from './time.ts'

/** A number of requests in a number of seconds. */
export interface RateLimit {
  readonly requests: number
  readonly seconds: number
}

/** The default limits of each bucket; a request must keep to every limit of its bucket. */
export const DEFAULT_RATE_LIMITS = {
  /** Requests of an account, all endpoints together. */
  user: [{ requests: 200, seconds: MINUTE }],
  /** GET and DELETE /events of an account. */
  events: [{ requests: 200, seconds: MINUTE }],
  /** Calls that an account creates: each is a room or a meeting at another service. */
  calls: [{ requests: 30, seconds: HOUR }],
  /** Requests without credentials, from one network; those with wrong credentials are counted separately, with the same limit. */
  anonymous: [{ requests: 100, seconds: MINUTE }],
  /** Requests that log in, or ask how to, from one network: at nine o'clock a whole office makes a few each, through one address. */
  doors: [{ requests: 2_000, seconds: MINUTE }],
  /** Pictures fetched from other servers, for one network. */
  picturesByIp: [{ requests: 300, seconds: MINUTE }],
  /** Pictures fetched from other servers for an organization, for all networks together. */
  pictures: [{ requests: 3_000, seconds: MINUTE }],
  /** Requests of an identity provider that provisions an organization's accounts. */
  provisioning: [{ requests: 1_500, seconds: MINUTE }],
  /** One file, or one user's picture, for all visitors without an account together. */
  perThing: [{ requests: 1_000, seconds: DAY }],
  /** Wrong passwords for one name: from one known network, from all other networks together, or in one known browser. */
  logins: [{ requests: 5, seconds: 30 * MINUTE }],
  /**
   * Passwords checked, right or wrong, for one name, in known browsers of one account, and by one logged-in account. Each takes HASHING_MS,
   * so an account gets at most a fiftieth of a thread, however many networks and browsers it has.
   */
  passwordChecks: [{ requests: 30, seconds: 10 * MINUTE }],
  /** Wrong passwords from one network, for any names; more where many people log in (model/attempts/networks-of-people.ts). */
  loginsByIp: [{ requests: 50, seconds: 30 * MINUTE }],
  /** Wrong passwords for an organization, from all networks together from which nobody has logged in before. */
  loginsOfStrangers: [{ requests: 100, seconds: 30 * MINUTE }],
  /** Wrong codes of an account's second factor, from one network. */
  codes: [
    { requests: 10, seconds: 10 * MINUTE },
    { requests: 50, seconds: DAY },
  ],
  /** Wrong codes from all networks together from which a member has logged in before, or in all known browsers of the account. */
  codesOfKnown: [
    { requests: 40, seconds: 10 * MINUTE },
    { requests: 200, seconds: DAY },
  ],
  /** Wrong codes from all networks together from which nobody has logged in before: each guess is one in a million. */
  codesOfStrangers: [{ requests: 20, seconds: DAY }],
  /** Mail that one account causes, or that is sent to one account. */
  mailByUser: [
    { requests: 2, seconds: HOUR },
    { requests: 5, seconds: DAY },
  ],
  /** Mail that visitors without an account ask for, from one network; more where many people log in. */
  mailByIp: [{ requests: 100, seconds: DAY }],
  /** Mail to all channel addresses of an organization together. */
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
  /** Mail about missed messages to one person; further messages wait, and are sent together. */
  missedMailByUser: [{ requests: 30, seconds: HOUR }],
  /** Mail about missed messages that an organization sends in a clock period: mail services may mistake more for a flood. */
  missedMail: [{ requests: 5_000, seconds: HOUR }],
} as const satisfies Record<string, readonly RateLimit[]>

export type RateLimitBucket = keyof typeof DEFAULT_RATE_LIMITS
export type RateLimits = Readonly<Record<RateLimitBucket, readonly RateLimit[]>>

export function longestWindow(limits: readonly RateLimit[]): number {
  return Math.max(...limits.map(({ seconds }) => seconds))
}

/** Returns the seconds until one more request keeps to all limits; 0 if it does now. `earlier`: UNIX seconds, ascending. */
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

/** The setting of each bucket that has one. */
const BUCKETS = {
  RATE_LIMIT_API_BY_USER: 'user',
  RATE_LIMIT_EVENTS_BY_USER: 'events',
  RATE_LIMIT_CALLS_BY_USER: 'calls',
  RATE_LIMIT_API_BY_IP: 'anonymous',
  RATE_LIMIT_PICTURES_BY_IP: 'picturesByIp',
  RATE_LIMIT_PICTURES: 'pictures',
  RATE_LIMIT_SPECTATOR_ACCESS_BY_FILE: 'perThing',
  RATE_LIMIT_LOGIN_BY_USERNAME: 'logins',
  RATE_LIMIT_LOGIN_BY_IP: 'loginsByIp',
  RATE_LIMIT_LOGIN_BY_STRANGERS: 'loginsOfStrangers',
  RATE_LIMIT_MAIL_BY_USER: 'mailByUser',
  RATE_LIMIT_MAIL_BY_IP: 'mailByIp',
  RATE_LIMIT_CHANNEL_MAIL: 'channelMail',
  RATE_LIMIT_MAIL_REPLIES: 'mailReplies',
  RATE_LIMIT_MISSED_MAIL_BY_USER: 'missedMailByUser',
  RATE_LIMIT_MISSED_MAIL: 'missedMail',
} as const satisfies Readonly<Record<string, RateLimitBucket>>

/**
 * Settings of the form `200/60`: 200 requests in 60 seconds. Several limits are separated by spaces, and a request must keep to all of them.
 */
export type RateLimitEnvironment = { readonly [Setting in keyof typeof BUCKETS]?: string }

const LIMIT = /^([1-9]\d{0,8})\/([1-9]\d{0,8})$/

/** Reads the settings. An invalid setting is logged and leaves its limits as they are. */
export function readRateLimits(env: RateLimitEnvironment): Partial<RateLimits> {
  const limits: Partial<Record<RateLimitBucket, readonly RateLimit[]>> = {}
  for (const [name, bucket] of Object.entries(BUCKETS)) {
    const setting = env[name as keyof RateLimitEnvironment]?.trim() ?? ''
    if (setting === '') continue
    const given = readLimits(setting)
    if (given) limits[bucket] = given
    else logSettingProblem(name, setting, `${describe(DEFAULT_RATE_LIMITS[bucket])} stays in force.`)
  }
  return limits
}

/** Parses the limits in a setting; undefined if any is invalid. */
function readLimits(setting: string): RateLimit[] | undefined {
  const matches = setting.split(/\s+/).map((part) => LIMIT.exec(part))
  if (matches.includes(null)) return undefined
  return matches.map((match) => ({ requests: Number(match![1]), seconds: Number(match![2]) }))
}

function describe(limits: readonly RateLimit[]): string {
  return limits.map(({ requests, seconds }) => `${requests}/${seconds}`).join(' ')
}

/** Characters of the longest address, an IPv4 one within IPv6. */
const MAX_ADDRESS_LENGTH = 45

/**
 * Returns the network by which a client's requests and attempts are counted: its IPv4 address, or the first 64 bits of its IPv6 address,
 * since one client usually has all addresses with that prefix. '' if the address is unknown.
 */
export function clientNetwork(address: string): string {
  const text = address.trim().toLowerCase()
  // The platform writes an IPv4 address in only one way. Every request gets here, and parsing an address is expensive.
  if (!text.includes(':') || text.length > MAX_ADDRESS_LENGTH || !ipaddr.isValid(text)) return text
  const parsed = ipaddr.process(text)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  const groups = parsed.parts.slice(0, 4).map((group) => group.toString(16))
  return `${groups.join(':')}::/64`
}
