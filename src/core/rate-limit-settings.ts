import { DEFAULT_RATE_LIMITS, type RateLimit, type RateLimitBucket, type RateLimits } from './rate-limits.ts'
import { logSettingProblem } from './setting-problems.ts'

/**
 * Settings of the form `200/60`: 200 requests in 60 seconds. Several limits are separated by spaces, and a
 * request must keep to all of them.
 */
export interface RateLimitEnvironment {
  /** Requests of an account, all endpoints together. */
  readonly RATE_LIMIT_API_BY_USER?: string
  /** GET and DELETE /events of an account. */
  readonly RATE_LIMIT_EVENTS_BY_USER?: string
  /** Calls that an account makes with another service. */
  readonly RATE_LIMIT_CALLS_BY_USER?: string
  /** Requests without credentials, from one address. */
  readonly RATE_LIMIT_API_BY_IP?: string
  /** Pictures of other servers that have to be fetched, for one address. */
  readonly RATE_LIMIT_PICTURES_BY_IP?: string
  /** Pictures of other servers that have to be fetched, for one organization. */
  readonly RATE_LIMIT_PICTURES?: string
  /** Accesses of one file or picture of a person by everybody without an account, together. */
  readonly RATE_LIMIT_SPECTATOR_ACCESS_BY_FILE?: string
  /** Wrong passwords for one name. */
  readonly RATE_LIMIT_LOGIN_BY_USERNAME?: string
  /** Wrong passwords from one network. */
  readonly RATE_LIMIT_LOGIN_BY_IP?: string
  /** Wrong passwords from all networks together from which nobody of the organization has logged in. */
  readonly RATE_LIMIT_LOGIN_BY_STRANGERS?: string
  /** Mail that one account causes, or that is sent to one account. */
  readonly RATE_LIMIT_MAIL_BY_USER?: string
  /** Mail that a visitor without an account asks for, from one address. */
  readonly RATE_LIMIT_MAIL_BY_IP?: string
  /** Mail that comes to channels of one organization. */
  readonly RATE_LIMIT_CHANNEL_MAIL?: string
  /** Replies by mail of one account. */
  readonly RATE_LIMIT_MAIL_REPLIES?: string
  /** Mail about missed messages to one person. */
  readonly RATE_LIMIT_MISSED_MAIL_BY_USER?: string
  /** Mail about missed messages of one organization, to all its people. */
  readonly RATE_LIMIT_MISSED_MAIL?: string
}

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
} as const satisfies Record<keyof RateLimitEnvironment, RateLimitBucket>

const LIMIT = /^([1-9]\d{0,8})\/([1-9]\d{0,8})$/

/** Reads the settings. A setting that cannot be read leaves its limits as they are, and is logged. */
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

/** Reads limits from a setting; undefined when any of them is not understood. */
function readLimits(setting: string): RateLimit[] | undefined {
  const matches = setting.split(/\s+/).map((part) => LIMIT.exec(part))
  if (matches.includes(null)) return undefined
  return matches.map((match) => ({ requests: Number(match![1]), seconds: Number(match![2]) }))
}

function describe(limits: readonly RateLimit[]): string {
  return limits.map(({ requests, seconds }) => `${requests}/${seconds}`).join(' ')
}
