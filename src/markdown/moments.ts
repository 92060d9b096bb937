/**
 * Parses a time as people write it: ISO 8601, UNIX seconds, or a date and a time in words and numbers in any order ("Jun 5th 2017,
 * 10:30PM", "31 Dec 2017 5:30 am IST"). Missing parts of a date are those of the day of writing ("10:30 PM", "June 5", "Friday 3pm").
 * Source: the public server's renderings.
 */

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const wholeMonths = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const weekday =
  /^(?:mon|tue|wed|thu|fri|sat|sun|tues|thur|thurs|monday|tuesday|wednesday|thursday|friday|saturday|sunday)$/

/** Minutes ahead of UTC. If several zones share a name, the one with the most inhabitants. */
const zones: Readonly<Record<string, number>> = {
  UTC: 0,
  GMT: 0,
  Z: 0,
  WET: 0,
  WEST: 60,
  BST: 60,
  CET: 60,
  CEST: 120,
  EET: 120,
  EEST: 180,
  SAST: 120,
  CAT: 120,
  WAT: 60,
  EAT: 180,
  MSK: 180,
  IDT: 180,
  TRT: 180,
  GST: 240,
  PKT: 300,
  IST: 330,
  NPT: 345,
  ICT: 420,
  WIB: 420,
  SGT: 480,
  HKT: 480,
  PHT: 480,
  AWST: 480,
  JST: 540,
  KST: 540,
  ACST: 570,
  ACDT: 630,
  AEST: 600,
  AEDT: 660,
  NZST: 720,
  NZDT: 780,
  BRT: -180,
  ART: -180,
  NST: -210,
  NDT: -150,
  AST: -240,
  ADT: -180,
  EST: -300,
  EDT: -240,
  CST: -360,
  CDT: -300,
  MST: -420,
  MDT: -360,
  PST: -480,
  PDT: -420,
  AKST: -540,
  AKDT: -480,
  HST: -600,
}

/** Ignored words: `T` separates date and time, `m` is the rest of `p.m.`. */
const fillers = new Set(['at', 'on', 'and', 'ad', 'of', 't', 'm', 'st', 'nd', 'rd', 'th'])
/** Zones whose offset has the POSIX sign: the offset of `GMT+3` is added to get GMT. */
const originZones = new Set(['UTC', 'GMT', 'Z'])

/** The parts of a time read so far. */
interface Reading {
  /** Numbers of the date in order; a month given by name is not among them. */
  numbers: { value: number; digits: number }[]
  /** Month given by name: 1 to 12. */
  month?: number
  /** Weekday given by name: 0 is Sunday. */
  weekday?: number
  time?: { hour: number; minute: number; second: number; microsecond: number }
  /** Whether `am` or `pm` was read. */
  isMarkedHour: boolean
  /** Minutes ahead of UTC; undefined as long as no zone was read. */
  offset?: number
  /** Whether the offset comes from a named zone, which takes precedence over a number after it. */
  isOffsetNamed: boolean
  /** Whether the number after a zone's name says how far UTC is ahead of the zone. */
  isOffsetTurned: boolean
}

interface Day {
  readonly year: number
  /** 1 to 12. */
  readonly month: number
  readonly day: number
}

/** An instant in whole seconds, with separate microseconds, since microseconds since 1970 exceed a safe integer. */
interface Instant {
  readonly seconds: number
  readonly microseconds: number
}

const compactDate = /^(\d{4})(\d\d)(\d\d)(?:T?(\d\d)(\d\d)(\d\d)?)?$/
const token =
  /\s+|[,;']|(?<offset>[+-](?:\d\d:?\d\d|\d\d?)(?![\d:/.-]))|(?<time>\d{1,2}:\d\d(?::\d\d(?:[.,]\d{1,9})?)?)|(?<count>\d{1,2}) ?(?<unit>h|hours?|m|minutes?|s|seconds?)(?![A-Za-z])|(?<number>\d{1,8})(?:st|nd|rd|th)?(?![\d:])|\((?<zone>[A-Z]{3,5})\)|(?<word>[A-Za-z]{1,12})\.?|[./-]/gy

/**
 * Returns the time as `YYYY-MM-DDTHH:MM:SSZ`, with six fractional digits if it has a fraction; undefined if the text is not a time. A
 * time without a zone is in UTC.
 * @param now time of writing, UNIX seconds; without it an incomplete date is invalid
 */
export function instantOf(text: string, now?: number): string | undefined {
  const trimmed = text.trim()
  const written = readDate(trimmed, now)
  if (written !== undefined) return format(written)
  if (!/^[+-]?\d{1,15}(?:\.\d{0,9})?$/.test(trimmed)) return undefined
  const seconds = Math.floor(Number(trimmed))
  return format({ seconds, microseconds: Math.round((Number(trimmed) - seconds) * 1e6) })
}

/** Parses a date; undefined if there is none, or it does not exist. */
function readDate(text: string, now: number | undefined): Instant | undefined {
  const compact = compactDate.exec(text)
  if (compact !== null) {
    const [year, month, day, hour = 0, minute = 0, second = 0] = compact
      .slice(1)
      .map((part) => (part === undefined ? undefined : Number(part))) as [number, number, number]
    return instantAt({ year, month, day }, { hour, minute, second, microsecond: 0 }, 0)
  }
  const reading = readTokens(text)
  const date = reading && dateOf(reading, now)
  if (!reading || !date) return undefined
  return instantAt(date, reading.time ?? MIDNIGHT, reading.offset ?? 0)
}

const MIDNIGHT = { hour: 0, minute: 0, second: 0, microsecond: 0 }

function readTokens(text: string): Reading | undefined {
  const reading: Reading = { numbers: [], isMarkedHour: false, isOffsetNamed: false, isOffsetTurned: false }
  let read = 0
  for (const match of text.matchAll(token)) {
    const before = text.slice(0, match.index)
    read = match.index + match[0].length
    if (!readToken(reading, match.groups!, before, text.slice(read))) return undefined
  }
  return read === text.length ? reading : undefined
}

function readToken(
  reading: Reading,
  { offset, time, count, unit, number, zone, word }: Record<string, string | undefined>,
  before: string,
  rest: string,
): boolean {
  if (offset !== undefined) return readOffset(reading, offset, before)
  if (time !== undefined) return readTime(reading, time)
  if (unit !== undefined) return readCount(reading, Number(count), unit)
  if (number !== undefined) return readNumber(reading, number, rest)
  if (zone !== undefined) return readNameOfOffset(reading, zone)
  return word === undefined || readWord(reading, word, rest)
}

/** Parses an offset. A sign starts one after a time; before that, it separates the numbers of a date. */
function readOffset(reading: Reading, written: string, before: string): boolean {
  if (reading.time === undefined) {
    const digits = written.slice(1)
    if (!/^\d{1,4}$/.test(digits) || !/[\da-z]$/i.test(before) || written[0] === '+') return false
    reading.numbers.push({ value: Number(digits), digits: digits.length })
    return true
  }
  if (reading.isOffsetNamed) return true
  const digits = written.slice(1).replace(':', '')
  const [hours, minutes] = digits.length > 2 ? [digits.slice(0, 2), digits.slice(2)] : [digits, '0']
  const total = Number(hours) * 60 + Number(minutes)
  if (total >= 24 * 60 || Number(minutes) > 59) {
    // An offset of a day or more is invalid, and so is the whole text.
    reading.offset = Number.NaN
    return true
  }
  reading.offset = written.startsWith('-') === reading.isOffsetTurned ? total : -total
  return true
}

/** Parses the name of an offset, as in `+0530 (IST)`: the name, if known, takes precedence. */
function readNameOfOffset(reading: Reading, name: string): boolean {
  if (reading.offset === undefined) return false
  reading.offset = Object.hasOwn(zones, name) ? zones[name]! : reading.offset
  return true
}

function readTime(reading: Reading, written: string): boolean {
  if (reading.time !== undefined) return false
  const [hour, minute, second = '0'] = written.split(':') as [string, string, string?]
  const [whole, fraction = ''] = second.split(/[.,]/)
  reading.time = {
    hour: Number(hour),
    minute: Number(minute),
    second: Number(whole),
    microsecond: Number(fraction.padEnd(6, '0').slice(0, 6)),
  }
  return true
}

/** Reads a number with a unit: `10h`, `30 minutes`. */
function readCount(reading: Reading, count: number, unit: string): boolean {
  reading.time ??= { ...MIDNIGHT }
  const name = unit.startsWith('h') ? 'hour' : unit.startsWith('m') ? 'minute' : 'second'
  reading.time[name] = count
  return true
}

/** Parses a number: an hour if `am` or `pm` follows; after a complete date, a time without its colons. */
function readNumber(reading: Reading, written: string, rest: string): boolean {
  const { numbers, time, month } = reading
  if (/^ ?[ap]\.?m\b/i.test(rest) && time === undefined && Number(written) <= 12) {
    reading.time = { ...MIDNIGHT, hour: Number(written) }
    return true
  }
  const isDateWhole = numbers.length + (month === undefined ? 0 : 1) === 3
  if (isDateWhole && time === undefined && /^(?:\d\d){1,3}$/.test(written)) {
    const [hour, minute = 0, second = 0] = written.match(/\d\d/g)!.map(Number) as [number, number?, number?]
    reading.time = { hour, minute, second, microsecond: 0 }
    return true
  }
  if (numbers.length === 0 && month === undefined && written.length === 6) {
    for (const part of written.match(/\d\d/g)!) numbers.push({ value: Number(part), digits: 2 })
    return true
  }
  numbers.push({ value: Number(written), digits: written.length })
  return numbers.length <= 3
}

function readWord(reading: Reading, written: string, rest: string): boolean {
  const word = written.toLowerCase()
  if (['am', 'a', 'pm', 'p'].includes(word)) return readHalf(reading, word.startsWith('p'))
  const month = word === 'sept' ? 8 : Math.max(months.indexOf(word), wholeMonths.indexOf(word))
  if (month >= 0) {
    if (reading.month !== undefined) return false
    reading.month = month + 1
    return true
  }
  if (weekday.test(word)) {
    reading.weekday = weekdays.indexOf(word.slice(0, 3))
    return true
  }
  return fillers.has(word) || readZone(reading, written, rest)
}

/** Parses a zone, which follows a time; an unknown name is skipped. */
function readZone(reading: Reading, written: string, rest: string): boolean {
  if (reading.time === undefined || reading.offset !== undefined) return false
  if (!/^(?:[A-Z]{1,5}|utc|z)$/.test(written)) return false
  const name = written.toUpperCase()
  const isKnown = Object.hasOwn(zones, name)
  if (/^[+-]/.test(rest) && (!isKnown || originZones.has(name))) {
    reading.isOffsetTurned = true
    return true
  }
  reading.offset = isKnown ? zones[name]! : 0
  reading.isOffsetNamed = isKnown
  return true
}

function readHalf(reading: Reading, isAfternoon: boolean): boolean {
  const { time } = reading
  if (time === undefined || reading.isMarkedHour || time.hour > 12) return false
  reading.isMarkedHour = true
  time.hour = (time.hour % 12) + (isAfternoon ? 12 : 0)
  return true
}

/** Returns the date: the written parts, completed from the day of writing. */
function dateOf(reading: Reading, now: number | undefined): Day | undefined {
  const { numbers, month, weekday: wanted, time } = reading
  const parts = numbers.length + (month === undefined ? 0 : 1)
  if (parts === 3) return wholeDate(reading, now)
  if (parts > 3 || now === undefined) return undefined
  // The text has no part of a date or time.
  if (parts === 0 && wanted === undefined && time === undefined) return undefined
  const today = dayOf(now)
  const written = partOfDate(reading, now)
  const { year, month: ofYear } = { ...today, ...written }
  if (written.day !== undefined) return { year, month: ofYear, day: written.day }
  const day = Math.min(today.day, lengthOfMonth(year, ofYear))
  return wanted === undefined ? { year, month: ofYear, day } : nextOf(wanted, { year, month: ofYear, day })
}

/** Interprets up to two numbers, with or without a month's name. */
function partOfDate({ numbers, month }: Reading, now: number): Partial<Day> {
  const [first, second] = numbers
  if (!first) return month === undefined ? {} : { month }
  if (!second) {
    const named = month === undefined ? {} : { month }
    return isYear(first) ? { ...named, year: yearOf(first, now) } : { ...named, day: first.value }
  }
  if (isYear(first)) return { year: yearOf(first, now), month: second.value }
  if (isYear(second)) return { month: first.value, year: yearOf(second, now) }
  return { month: first.value, day: second.value }
}

/** Interprets three numbers: the year has four digits or stands last; of the other two, the month comes first if possible. */
function wholeDate({ numbers, month }: Reading, now: number | undefined): Day {
  const rest = [...numbers]
  const long = rest.findIndex(isYear)
  const [written] = rest.splice(long < 0 ? rest.length - 1 : long, 1) as [Reading['numbers'][number]]
  const year = yearOf(written, now)
  const [first, second] = rest.map(({ value }) => value) as [number, number]
  if (month !== undefined) return { year, month, day: first }
  return first > 12 && long !== 0 ? { year, month: second, day: first } : { year, month: first, day: second }
}

function isYear({ digits, value }: Reading['numbers'][number]): boolean {
  return digits > 2 || value > 31
}

/** Returns the year; a two-digit year becomes the nearest one. */
function yearOf({ digits, value }: Reading['numbers'][number], now: number | undefined): number {
  if (digits > 2) return value
  const present = now === undefined ? 2026 : dayOf(now).year
  const year = present - (present % 100) + value
  if (year >= present + 50) return year - 100
  return year < present - 50 ? year + 100 : year
}

function dayOf(now: number): Day {
  const date = new Date(now * 1_000)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

function lengthOfMonth(year: number, month: number): number {
  return new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate()
}

/** Returns the next day of this name, today included. */
function nextOf(weekdayNumber: number, { year, month, day }: Day): Day {
  const from = new Date(Date.UTC(year, month - 1, day))
  const days = (weekdayNumber - from.getUTCDay() + 7) % 7
  return dayOf(from.getTime() / 1_000 + days * 86_400)
}

function instantAt(
  { year, month, day }: Day,
  { hour, minute, second, microsecond }: NonNullable<Reading['time']>,
  offset: number,
): Instant | undefined {
  if (hour > 23 || minute > 59 || second > 59 || Number.isNaN(offset)) return undefined
  const instant = new Date(Date.UTC(2000, month - 1, day, hour, minute, second))
  // Date.UTC would read years below 100 as 19xx.
  instant.setUTCFullYear(year, month - 1, day)
  if (instant.getUTCMonth() !== month - 1 || instant.getUTCDate() !== day) return undefined
  return { seconds: instant.getTime() / 1_000 - offset * 60, microseconds: microsecond }
}

/** Returns an instant in ISO format; undefined for years outside 1 to 9999, which have no agreed format. */
function format({ seconds, microseconds }: Instant): string | undefined {
  const instant = new Date(seconds * 1_000)
  const year = instant.getUTCFullYear()
  if (Number.isNaN(year) || year < 1 || year > 9999) return undefined
  const fraction = microseconds === 0 ? '' : `.${String(microseconds).padStart(6, '0')}`
  return `${instant.toISOString().slice(0, 19)}${fraction}Z`
}
