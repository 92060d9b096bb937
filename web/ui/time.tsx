import { locale, t } from '../texts/texts.ts'
import { tip } from './tooltip.ts'

/** The format of times; the settings set it (views/preferences.ts). */
export const clock: { zone: string | undefined; isTwentyFourHours: boolean | undefined } = {
  zone: undefined,
  isTwentyFourHours: undefined,
}

const formats = new Map<string, Intl.DateTimeFormat>()

function format(name: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${name} ${locale()} ${clock.zone} ${clock.isTwentyFourHours}`
  const known = formats.get(key)
  if (known) return known
  const made = new Intl.DateTimeFormat(locale(), { timeZone: clock.zone, ...options })
  formats.set(key, made)
  return made
}

function hours(): Intl.DateTimeFormatOptions {
  return clock.isTwentyFourHours === undefined ? {} : { hourCycle: clock.isTwentyFourHours ? 'h23' : 'h12' }
}

/** Returns the parts of a time. Beside `am` or `pm` the hour loses the zero that locales of 24 hours put before it. */
function partsOf(name: string, options: Intl.DateTimeFormatOptions, seconds: number) {
  const parts = format(name, { ...options, ...hours() }).formatToParts(seconds * 1_000)
  if (!parts.some(({ type }) => type === 'dayPeriod')) return parts
  return parts.map(({ type, value }) => ({ type, value: type === 'hour' ? value.replace(/^0/, '') : value }))
}

function written(name: string, options: Intl.DateTimeFormatOptions, seconds: number): string {
  return partsOf(name, options, seconds)
    .map(({ value }) => value)
    .join('')
}

const HOUR_AND_MINUTE = { hour: 'numeric', minute: '2-digit' } as const

/** Returns `14:05`. All times are UNIX seconds. Throws a RangeError for a zone that the browser does not know. */
export function timeOfDay(seconds: number, timeZone = clock.zone): string {
  return written(`time in ${timeZone}`, { ...HOUR_AND_MINUTE, timeZone }, seconds)
}

/** Returns `2:05` or `14:05`, which fits beside a message that stands below one whose time is shown in full. */
export function hourOfDay(seconds: number): string {
  return partsOf('time', HOUR_AND_MINUTE, seconds)
    .filter(({ type, value }) => type !== 'dayPeriod' && value.trim() !== '')
    .map(({ value }) => value)
    .join('')
}

/** Returns `Tuesday, 3 June 2025, 14:05:09`. */
export function wholeTime(seconds: number): string {
  return written('whole', { dateStyle: 'full', timeStyle: 'medium' }, seconds)
}

/** Returns `3 Jun 2025, 14:05`. */
export function dateAndTime(seconds: number): string {
  return written('date and time', { dateStyle: 'medium', timeStyle: 'short' }, seconds)
}

/** Returns `2025-06-03`, to compare days. */
export function dayKey(seconds: number): string {
  if (dayKeysZone !== clock.zone) {
    dayKeys.clear()
    dayKeysZone = clock.zone
  }
  const known = dayKeys.get(Math.floor(seconds / 900))
  if (known !== undefined) return known
  const parts = format('day key', { year: 'numeric', month: '2-digit', day: '2-digit' }).formatToParts(
    seconds * 1_000,
  )
  const key = parts.map(({ value }) => value).join('')
  if (dayKeys.size > 5_000) dayKeys.clear()
  dayKeys.set(Math.floor(seconds / 900), key)
  return key
}

/** Keys of days, by quarters of an hour, since zones differ by no less. */
const dayKeys = new Map<number, string>()
let dayKeysZone = clock.zone

/** Returns `Today`, `Yesterday`, `Tuesday, 3 June`, with the year if it is another. */
export function dayName(seconds: number, now = Date.now() / 1_000): string {
  const day = dayKey(seconds)
  if (day === dayKey(now)) return t.today
  if (day === dayKey(now - 86_400)) return t.yesterday
  const sameYear = new Date(seconds * 1_000).getFullYear() === new Date(now * 1_000).getFullYear()
  return format(sameYear ? 'day' : 'day with year', {
    weekday: sameYear ? 'long' : 'short',
    day: 'numeric',
    month: sameYear ? 'long' : 'short',
    ...(sameYear ? {} : { year: 'numeric' }),
  }).format(seconds * 1_000)
}

/** Returns `14:05` today, `Tue` within a week, else `3 Jun`. */
export function shortTime(seconds: number, now = Date.now() / 1_000): string {
  if (dayKey(seconds) === dayKey(now)) return timeOfDay(seconds)
  if (now - seconds < 6 * 86_400) return format('weekday', { weekday: 'short' }).format(seconds * 1_000)
  return format('short day', { day: 'numeric', month: 'short' }).format(seconds * 1_000)
}

/** Returns `now`, `5m ago`, `3h ago`, within a day; `Tue` within a week, else `3 Jun`. */
export function sinceShort(seconds: number, now = Date.now() / 1_000): string {
  const passed = Math.max(0, now - seconds)
  if (passed >= 86_400) return shortTime(seconds, now)
  // The narrowest is a sign in French, `-22 h`, and a metre in German, `vor 5 m`.
  const style = /^(?:fr|de)/.test(locale()) ? 'short' : 'narrow'
  const relative = new Intl.RelativeTimeFormat(locale(), { numeric: 'auto', style })
  if (passed < 60) return relative.format(0, 'second')
  return passed < 3_600
    ? relative.format(-Math.floor(passed / 60), 'minute')
    : relative.format(-Math.floor(passed / 3_600), 'hour')
}

/** Returns `5 minutes ago`, at least one: `this minute` is no time at which anything was. */
export function ago(seconds: number, now = Date.now() / 1_000): string {
  const passed = now - seconds
  const relative = new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' })
  if (passed < 60) return relative.format(0, 'second')
  if (passed < 3_600) return relative.format(-Math.round(passed / 60), 'minute')
  if (passed < 86_400) return relative.format(-Math.round(passed / 3_600), 'hour')
  return relative.format(-Math.round(passed / 86_400), 'day')
}

export function Time({ seconds, long = false }: { readonly seconds: number; readonly long?: boolean }) {
  return (
    <time dateTime={new Date(seconds * 1_000).toISOString()} {...tip(wholeTime(seconds))}>
      {long ? dayName(seconds) : timeOfDay(seconds)}
    </time>
  )
}
