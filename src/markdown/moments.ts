/**
 * Reads a moment as people write one: ISO 8601, UNIX seconds, or a date and a time in words and numbers in any
 * order ("Jun 5th 2017, 10:30PM", "31 Dec 2017 5:30 am IST"). Source: the public server's renderings.
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
const weekday =
  /^(?:mon|tue|wed|thu|fri|sat|sun|tues|thur|thurs|monday|tuesday|wednesday|thursday|friday|saturday|sunday)$/

/** Minutes ahead of UTC. Of several zones of one name, the one that most people live in. */
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

/** Words that say nothing: `T` parts date and time, `m` is the rest of `p.m.`. */
const fillers = new Set(['at', 'on', 'and', 'of', 't', 'm', 'st', 'nd', 'rd', 'th'])

/** What has been read of a moment so far. */
interface Reading {
  /** Numbers of the date in their order; the month's is undefined when a word names it. */
  numbers: { value: number; digits: number }[]
  /** Named by a word: 1 to 12. */
  month?: number
  time?: { hour: number; minute: number; second: number }
  /** `am` or `pm` was read. */
  isMarkedHour: boolean
  /** Minutes ahead of UTC; not a number where no zone is so far. */
  offset?: number
}

const compactDate = /^(\d{4})(\d\d)(\d\d)(?:T?(\d\d)(\d\d)(\d\d)?)?$/
const token =
  /\s+|[,;']|(?<offset>[+-](?:\d\d:?\d\d|\d\d?)(?![\d:/.-]))|(?<time>\d{1,2}:\d\d(?::\d\d(?:[.,]\d{1,9})?)?)|(?<number>\d{1,8})(?:st|nd|rd|th)?(?![\d:])|(?<word>[A-Za-z]{1,12})\.?|[./-]/gy

/** The moment as `YYYY-MM-DDTHH:MM:SSZ`, undefined for what is none. A time without a zone is in UTC. */
export function instantOf(text: string): string | undefined {
  const trimmed = text.trim()
  const written = readDate(trimmed)
  if (written !== undefined) return written === 'impossible' ? undefined : format(written)
  return /^[+-]?\d{1,15}(?:\.\d{0,9})?$/.test(trimmed) ? format(Number(trimmed) * 1000) : undefined
}

/** Milliseconds since 1970; undefined where no whole date is written, so that the text may be a number. */
function readDate(text: string): number | 'impossible' | undefined {
  const compact = compactDate.exec(text)
  if (compact !== null) {
    const [year, month, day, hour = 0, minute = 0, second = 0] = compact
      .slice(1)
      .map((part) => (part === undefined ? undefined : Number(part))) as [number, number, number]
    return millisecondsOf({ year, month, day }, { hour, minute, second }, 0)
  }
  const reading = readTokens(text)
  const date = reading && dateOf(reading)
  if (!reading || !date) return undefined
  return (
    millisecondsOf(date, reading.time ?? { hour: 0, minute: 0, second: 0 }, reading.offset ?? 0) ??
    'impossible'
  )
}

function readTokens(text: string): Reading | undefined {
  const reading: Reading = { numbers: [], isMarkedHour: false }
  let read = 0
  for (const match of text.matchAll(token)) {
    const isFirst = read === 0
    read = match.index + match[0].length
    const { offset, time, number, word } = match.groups as Record<string, string | undefined>
    const isRead =
      offset !== undefined
        ? readOffset(reading, offset, text.slice(0, match.index), isFirst)
        : time !== undefined
          ? readTime(reading, time)
          : number !== undefined
            ? readNumber(reading, number, text.slice(read))
            : word === undefined || readWord(reading, word)
    if (!isRead) return undefined
  }
  return read === text.length ? reading : undefined
}

/** After a time, a sign leads an offset; before, it parts the numbers of a date. */
function readOffset(reading: Reading, written: string, before: string, isFirst: boolean): boolean {
  if (reading.time === undefined) {
    const digits = written.slice(1)
    if (isFirst || !/^\d{1,4}$/.test(digits) || !/[\da-z]$/i.test(before) || written[0] === '+') return false
    reading.numbers.push({ value: Number(digits), digits: digits.length })
    return true
  }
  const digits = written.slice(1).replace(':', '')
  const [hours, minutes] = digits.length > 2 ? [digits.slice(0, 2), digits.slice(2)] : [digits, '0']
  const total = Number(hours) * 60 + Number(minutes)
  if (total >= 24 * 60 || Number(minutes) > 59) {
    // A day apart from UTC is no zone: the moment is none.
    reading.offset = Number.NaN
    return true
  }
  reading.offset = (written.startsWith('-') ? -1 : 1) * total
  return true
}

function readTime(reading: Reading, written: string): boolean {
  if (reading.time !== undefined) return false
  const [hour, minute, second = '0'] = written.split(':') as [string, string, string?]
  reading.time = {
    hour: Number(hour),
    minute: Number(minute),
    second: Math.floor(Number(second.replace(',', '.'))),
  }
  return true
}

/** A number is an hour when `am` or `pm` follows it. */
function readNumber(reading: Reading, written: string, rest: string): boolean {
  if (/^ ?[ap]\.?m\b/i.test(rest) && reading.time === undefined && Number(written) <= 12) {
    reading.time = { hour: Number(written), minute: 0, second: 0 }
    return true
  }
  reading.numbers.push({ value: Number(written), digits: written.length })
  return reading.numbers.length <= 3
}

function readWord(reading: Reading, written: string): boolean {
  const word = written.toLowerCase()
  if (['am', 'a', 'pm', 'p'].includes(word)) return readHalf(reading, word.startsWith('p'))
  const month = word === 'sept' ? 8 : Math.max(months.indexOf(word), wholeMonths.indexOf(word))
  if (month >= 0) {
    if (reading.month !== undefined) return false
    reading.month = month + 1
    return true
  }
  if (weekday.test(word) || fillers.has(word)) return true
  // A zone follows a time; one of a name that nobody knows is passed over.
  const isZone =
    reading.time !== undefined && reading.offset === undefined && /^(?:[A-Z]{1,5}|utc|z)$/.test(written)
  if (isZone) reading.offset = Object.hasOwn(zones, word.toUpperCase()) ? zones[word.toUpperCase()]! : 0
  return isZone
}

function readHalf(reading: Reading, isAfternoon: boolean): boolean {
  const { time } = reading
  if (time === undefined || reading.isMarkedHour || time.hour > 12) return false
  reading.isMarkedHour = true
  time.hour = (time.hour % 12) + (isAfternoon ? 12 : 0)
  return true
}

/** Which number is which: a year has four digits or stands last; of two others the month comes first if it can. */
function dateOf({ numbers, month }: Reading): { year: number; month: number; day: number } | undefined {
  const rest = [...numbers]
  if (rest.length !== (month === undefined ? 3 : 2)) return undefined
  const long = rest.findIndex(({ digits, value }) => digits > 2 || value > 31)
  const [year] = rest.splice(long < 0 ? rest.length - 1 : long, 1) as [Reading['numbers'][number]]
  const whole = year.digits > 2 ? year.value : year.value + (year.value < 76 ? 2000 : 1900)
  const [first, second] = rest.map(({ value }) => value) as [number, number]
  if (month !== undefined) return { year: whole, month, day: first }
  return first > 12 && long !== 0
    ? { year: whole, month: second, day: first }
    : { year: whole, month: first, day: second }
}

function millisecondsOf(
  { year, month, day }: { year: number; month: number; day: number },
  { hour, minute, second }: { hour: number; minute: number; second: number },
  offset: number,
): number | undefined {
  if (hour > 23 || minute > 59 || second > 59 || Number.isNaN(offset)) return undefined
  const instant = new Date(Date.UTC(2000, month - 1, day, hour, minute, second))
  // Years below 100 would be read as 19xx by Date.UTC.
  instant.setUTCFullYear(year, month - 1, day)
  if (instant.getUTCMonth() !== month - 1 || instant.getUTCDate() !== day) return undefined
  return instant.getTime() - offset * 60_000
}

/** Only years 1 to 9999: others have no agreed ISO form. */
function format(milliseconds: number): string | undefined {
  const instant = new Date(milliseconds)
  const year = instant.getUTCFullYear()
  if (Number.isNaN(year) || year < 1 || year > 9999) return undefined
  return `${instant.toISOString().slice(0, 19)}Z`
}
