import { QUOTAS } from '../src/core/quotas.ts'
import { SETTINGS, type Setting } from './settings.ts'

/** Returns why a value is not understood, as the end of a sentence; undefined if it is. */
type Check = (value: string) => string | undefined

/** Returns a check that every part of a list, separated by spaces, has this form. */
function each(form: RegExp, example: string, isUnderstood: (part: string) => boolean = () => true): Check {
  return (value) => {
    const wrong = value
      .trim()
      .split(/\s+/)
      .find((part) => !form.test(part) || !isUnderstood(part))
    return wrong === undefined ? undefined : `${JSON.stringify(wrong)} does not have the form ${example}`
  }
}

function oneOf(...words: readonly string[]): Check {
  return (value) => (words.includes(value) ? undefined : `it must be ${words.join(' or ')}`)
}

function wholeNumber(from: number, to: number): Check {
  return (value) => {
    const isOne = Number.isInteger(Number(value)) && Number(value) >= from && Number(value) <= to
    return isOne ? undefined : `it must be a whole number from ${from} to ${to}`
  }
}

const positive: Check = (value) =>
  Number(value) > 0 && Number.isFinite(Number(value)) ? undefined : 'it must be a number above 0'

function address(...schemes: readonly string[]): Check {
  return (value) => {
    const scheme = URL.canParse(value.trim()) ? new URL(value.trim()).protocol.slice(0, -1) : ''
    return schemes.includes(scheme) ? undefined : `it must be an address that begins with ${schemes[0]}://`
  }
}

const anything: Check = (value) => (value.trim() === '' ? 'it is empty' : undefined)
const limits = each(/^[1-9]\d{0,8}\/[1-9]\d{0,8}$/, '200/60, requests in seconds')
const accounts = each(/^[^/\s]+\/[^/\s]+@[^@\s]+$/, 'chat.example.com/ann@example.com')
const hosts = each(/^[a-z0-9.-]+(?::\d{1,5})?$/i, 'chat.example.com')
const web = address('https', 'http')
const key: Check = (value) =>
  Buffer.from(value, 'base64').length === 32 ? undefined : 'it must be 32 bytes in base64'

const quotas = each(/^\w+\/\w+=\d{1,12}$/, 'drafts/account=100, with a number that lowers it', (entry) => {
  const [, kind, limit, given] = /^(\w+)\/(\w+)=(\d+)$/.exec(entry)!
  const quota: Readonly<Record<string, unknown>> | undefined = Object.hasOwn(QUOTAS, kind!)
    ? { ...QUOTAS[kind as keyof typeof QUOTAS] }
    : undefined
  const ordinary = quota?.[limit!]
  return typeof ordinary === 'number' && Number(given) <= ordinary
})

/** What each setting may be. The server ignores anything else, and takes its default. */
export const CHECKS: Readonly<Record<Setting, Check>> = {
  RATE_LIMITS: oneOf('on', 'off'),
  RATE_LIMIT_API_BY_USER: limits,
  RATE_LIMIT_EVENTS_BY_USER: limits,
  RATE_LIMIT_CALLS_BY_USER: limits,
  RATE_LIMIT_API_BY_IP: limits,
  RATE_LIMIT_PICTURES_BY_IP: limits,
  RATE_LIMIT_PICTURES: limits,
  RATE_LIMIT_SPECTATOR_ACCESS_BY_FILE: limits,
  RATE_LIMIT_LOGIN_BY_USERNAME: limits,
  RATE_LIMIT_LOGIN_BY_IP: limits,
  RATE_LIMIT_LOGIN_BY_STRANGERS: limits,
  RATE_LIMIT_MAIL_BY_USER: limits,
  RATE_LIMIT_MAIL_BY_IP: limits,
  RATE_LIMIT_CHANNEL_MAIL: limits,
  RATE_LIMIT_MAIL_REPLIES: limits,
  RATE_LIMIT_MISSED_MAIL_BY_USER: limits,
  RATE_LIMIT_MISSED_MAIL: limits,
  QUOTAS: quotas,
  CAN_CREATE_USERS: accounts,
  CAN_CHANGE_EMAILS: accounts,
  SMTP_URL: address('smtps', 'smtp'),
  EMAIL_API_URL: web,
  EMAIL_API_KEY: anything,
  EMAIL_FROM: (value) => (/[^\s@]+@[^\s@]+/.test(value) ? undefined : 'it must be or contain a mail address'),
  EMAIL_DOMAIN: each(/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i, 'mail.example.com'),
  EMAIL_BOUNCES: oneOf('on', 'off'),
  PUSH_BOUNCER_URL: web,
  PUSH_BOUNCER_ORG_ID: anything,
  PUSH_BOUNCER_ORG_KEY: anything,
  ZOOM_ACCOUNT_ID: anything,
  ZOOM_CLIENT_ID: anything,
  ZOOM_CLIENT_SECRET: anything,
  ZOOM_SECRET_TOKEN: anything,
  ZOOM_URL: web,
  ZOOM_API_URL: web,
  BIG_BLUE_BUTTON_URL: web,
  BIG_BLUE_BUTTON_SECRET: anything,
  NEXTCLOUD_URL: web,
  NEXTCLOUD_USER: anything,
  NEXTCLOUD_PASSWORD: anything,
  GIPHY_API_KEY: anything,
  TENOR_API_KEY: anything,
  MAX_FILE_UPLOAD_MIB: positive,
  UPLOAD_QUOTA_MIB: positive,
  IMPORT_ARCHIVE_MIB: positive,
  EXTERNAL_CONTENT: oneOf('proxy', 'direct'),
  WEB_PUBLIC_STREAMS_ENABLED: oneOf('on', 'off', 'true', 'false', '1', '0'),
  OWNER_FULL_CONTENT_ACCESS: hosts,
  OWNER_ACCOUNT_ACCESS: hosts,
  POLL_HOLD_SECONDS: positive,
  WEBHOOK_ALLOWED_HOSTS: each(/^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i, '10.0.0.5:8080'),
  AUDIT_LOG_DAYS: wholeNumber(1, 3_650),
  COST_CAPS: each(
    /^(?:\*|[a-z0-9.-]+)=(?=.*[1-9])\d{1,7}(?:\.\d{1,2})?$/i,
    'chat.example.com=20, dollars a month',
  ),
  LOG: oneOf('all', 'troubles', 'off'),
  ACCESS_TEAM_DOMAIN: (value) =>
    hosts(value.replace(/^https?:\/\//, '')) && 'it must be a domain, acme.cloudflareaccess.com',
  ACCESS_AUD: anything,
  BACKUP_S3_URL: web,
  BACKUP_S3_ACCESS_KEY: anything,
  BACKUP_S3_SECRET_KEY: anything,
  BACKUP_S3_REGION: anything,
  HEALTH_TOKEN: anything,
  SECRETS_KEY: key,
  SECRETS_KEY_PREVIOUS: key,
  MOVE_TOKEN: anything,
  D1_MAX_MIB: positive,
  JURISDICTION: oneOf('eu', 'fedramp', 'us'),
  FILES_IN_D1: anything,
}

/** Returns a line for each name under [vars] that is no setting, and for each value that the server does not understand. */
export function settingProblems(vars: Readonly<Record<string, unknown>> = {}): string[] {
  return Object.entries(vars).flatMap(([name, value]) => {
    if (!isSetting(name)) return `[vars] ${name} is no setting${suggestionFor(name)}.`
    // Wrangler passes numbers and truth values on, and the server reads texts.
    if (typeof value !== 'string') return `[vars] ${name} is not understood: write its value between quotes.`
    const problem = CHECKS[name](value)
    return problem === undefined ? [] : `[vars] ${name} is not understood: ${problem}.`
  })
}

function isSetting(name: string): name is Setting {
  return (SETTINGS as readonly string[]).includes(name)
}

/** Returns the settings that are spelled almost alike, in words. */
function suggestionFor(name: string): string {
  const near = SETTINGS.filter((setting) => distance(name.toUpperCase(), setting) <= 3)
  return near.length === 0 ? '' : `; perhaps ${near.join(' or ')} is meant`
}

/** Returns the number of letters to insert, delete or replace. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (let j = 1; j <= b.length; j += 1) {
      next.push(Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (letter === b[j - 1] ? 0 : 1)))
    }
    row = next
  }
  return row[b.length]!
}
