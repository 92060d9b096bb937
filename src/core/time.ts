/** Durations in seconds, the unit of the API's timestamps. */
export const MINUTE = 60
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
export const WEEK = 7 * DAY

/** Returns the day of a time (UNIX seconds) in UTC: `2027-01-31`. */
export function dayOf(time: number): string {
  return new Date(time * 1_000).toISOString().slice(0, 10)
}

/** Returns when the month of a time began, in UTC (UNIX seconds, both). */
export function beginOfMonth(time: number): number {
  const at = new Date(time * 1_000)
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth()) / 1_000
}

/** Seconds between two commits of a job that continues a long change. */
export const BETWEEN_COMMITS_SECONDS = 1

/**
 * Scheduled runs each night, by the crons in wrangler.toml. Each does its part of the night's work independently of the others, with
 * queries of its own.
 */
export const RUNS_OF_A_NIGHT = 12

/**
 * Seconds by which a stored time may be ahead of a request's: others are answered while it waits. A time further ahead means that the clock
 * was set back.
 */
export const OVERTAKEN_SECONDS = 60

/** The clock by which a user reads times. */
export interface Clock {
  /** A language tag, possibly unknown. */
  readonly language: string
  readonly hour12: boolean
  /** IANA name. */
  readonly timeZone: string
}

/** Returns a function that formats times (UNIX seconds) for a clock: `Monday, 18 May 2026 at 16:00 GMT+2`. */
export function timesInWords({ language, ...clock }: Clock): (time: number) => string {
  const format = new Intl.DateTimeFormat(localeOf(language), {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
    ...clock,
  })
  return (time) => format.format(time * 1_000)
}

function localeOf(language: string): string {
  try {
    const [locale = 'en'] = Intl.DateTimeFormat.supportedLocalesOf(language.replaceAll('_', '-'))
    return locale === 'en' ? 'en-GB' : locale
  } catch {
    return 'en-GB'
  }
}
