import { DAY, HOUR, MINUTE, WEEK } from '../../core/time.ts'

/** A reminder as someone has typed it. */
export interface TypedReminder {
  /** UNIX seconds. */
  readonly at: number
  readonly note: string
}

const SECONDS = { m: MINUTE, h: HOUR, d: DAY, w: WEEK } as const
/** One part of a duration, as in `1h30m` or `2 hours`. */
const DURATION = /(\d{1,4}) ?(m|min|mins|minutes?|h|hours?|d|days?|w|weeks?)(?![a-z])/iy
const DATE = /(\d{4})-(\d\d)-(\d\d)/y
const TIME = /(\d{1,2})(?::(\d\d))? ?(am|pm)?(?![\w:])/iy
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
/** Seconds until the latest time. */
const MAX_AHEAD = 3_650 * DAY
/** When a reminder of a day comes that has no time. */
const MORNING = { hour: 9, minute: 0 }

/**
 * Reads what follows `/remind`: a time and a note, as `2h call Ann`, `tomorrow 9:00 call Ann` or `monday`. `now`: UNIX seconds; `zone`: that
 * of days and times. Undefined where it begins with no time. Source: docs/interface/users.md#commands.
 */
export function readTypedReminder(text: string, now: number, zone: string): TypedReminder | undefined {
  const words = new Words(text)
  words.skip('me')
  const at = durationIn(words, now) ?? momentIn(words, now, zone)
  if (at === undefined || at > now + MAX_AHEAD) return undefined
  words.skip('to')
  return { at, note: words.rest }
}

/** A text of which more and more is read. */
class Words {
  #rest: string

  constructor(text: string) {
    this.#rest = text.trim()
  }

  get rest(): string {
    return this.#rest
  }

  /** Skips the word if it comes next. */
  skip(word: string): boolean {
    const [next = ''] = this.#rest.split(/\s/, 1)
    if (next.toLowerCase() !== word) return false
    this.#rest = this.#rest.slice(word.length).trimStart()
    return true
  }

  /** Takes what matches next. */
  take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = 0
    const found = pattern.exec(this.#rest)
    if (!found) return undefined
    this.#rest = this.#rest.slice(found[0].length).trimStart()
    return found
  }
}

function durationIn(words: Words, now: number): number | undefined {
  words.skip('in')
  let seconds: number | undefined
  for (let part = words.take(DURATION); part; part = words.take(DURATION)) {
    const unit = part[2]![0]!.toLowerCase() as keyof typeof SECONDS
    seconds = (seconds ?? 0) + Number(part[1]) * SECONDS[unit]
  }
  return seconds === undefined ? undefined : Math.floor(now) + seconds
}

/** A day on a calendar, as `Date.UTC` has it. */
interface Day {
  readonly year: number
  readonly month: number
  readonly day: number
}

function momentIn(words: Words, now: number, zone: string): number | undefined {
  const today = localTime(now, zone)
  words.skip('on')
  const day = dayIn(words, today)
  const saidAt = words.skip('at')
  const time = timeIn(words, saidAt)
  if (day !== undefined) return instantOf({ ...day, ...(time ?? MORNING) }, zone)
  if (!time) return undefined
  const at = instantOf({ ...today, ...time }, zone)
  return at > now ? at : instantOf({ ...today, day: today.day + 1, ...time }, zone)
}

function dayIn(words: Words, today: Day & { readonly weekday: number }): Day | undefined {
  if (words.skip('today')) return today
  if (words.skip('tomorrow')) return { ...today, day: today.day + 1 }
  const weekday = WEEKDAYS.findIndex((name) => words.skip(name))
  if (weekday >= 0) return { ...today, day: today.day + ((weekday - today.weekday + 6) % 7) + 1 }
  const date = words.take(DATE)
  if (!date) return undefined
  const [year, month, day] = [Number(date[1]), Number(date[2]) - 1, Number(date[3])]
  return new Date(Date.UTC(year, month, day)).toISOString().startsWith(date[0])
    ? { year, month, day }
    : undefined
}

/** Takes a time of day: a number alone is one only after `at`. */
function timeIn(words: Words, isWanted: boolean): { hour: number; minute: number } | undefined {
  const before = new Words(words.rest)
  const found = before.take(TIME)
  if (!found) return undefined
  const [, hours, minutes, half] = found
  if (minutes === undefined && half === undefined && !isWanted) return undefined
  const hour =
    half === undefined ? Number(hours) : (Number(hours) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0)
  const minute = Number(minutes ?? 0)
  if (hour > 23 || minute > 59 || (half !== undefined && Number(hours) > 12)) return undefined
  words.take(TIME)
  return { hour, minute }
}

/** Returns a moment as clocks of the zone show it. */
function localTime(seconds: number, zone: string) {
  const shown = new Date(seconds * 1_000 + offsetAt(seconds, zone))
  return {
    year: shown.getUTCFullYear(),
    month: shown.getUTCMonth(),
    day: shown.getUTCDate(),
    weekday: shown.getUTCDay(),
  }
}

/** Returns the moment at which clocks of the zone show this; in the hour that they leave out, an hour later. */
function instantOf({ year, month, day, hour, minute }: Day & typeof MORNING, zone: string): number {
  const shown = Date.UTC(year, month, day, hour, minute) / 1_000
  // The offset before a change of clocks, and that after it.
  const first = shown - offsetAt(shown, zone) / 1_000
  return shown - offsetAt(first, zone) / 1_000
}

/** Returns by how many milliseconds clocks of the zone are ahead of UTC. */
function offsetAt(seconds: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts(
    seconds * 1_000,
  )
  const name = parts.find(({ type }) => type === 'timeZoneName')!.value
  const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(name) ?? []
  if (sign === undefined) return 0
  const ms = (Number(hours) * HOUR + Number(minutes) * MINUTE) * 1_000
  return sign === '-' ? -ms : ms
}
