import { locale } from '../texts/texts.ts'
import { clock, dateAndTime, dayKey, timeOfDay } from './time.tsx'

/** Returns `14:05` today, `Tuesday 14:05` within a week, else `3 Jun 2025, 14:05`, for what is still to come. */
export function comingTime(seconds: number, now = Date.now() / 1_000): string {
  if (dayKey(seconds) === dayKey(now)) return timeOfDay(seconds)
  if (seconds - now > 6 * 86_400) return dateAndTime(seconds)
  const day = new Intl.DateTimeFormat(locale(), { weekday: 'long', timeZone: clock.zone })
  return `${day.format(seconds * 1_000)} ${timeOfDay(seconds)}`
}
