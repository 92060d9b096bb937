import * as v from 'valibot'
import { defineEndpoint, type ParametersOf } from '../../api/define-endpoint.ts'
import { PROSE_LENGTH } from '../../api/input-limits.ts'
import { described, jsonInteger, trimmedTextUpTo, word } from '../../api/parameter-types.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { DAY, HOUR, MINUTE, WEEK } from '../../core/time.ts'
import { changeUserSetting } from '../../model/accounts/change-user-setting.ts'
import type { Caller } from '../../model/caller.ts'
import { createReminder } from '../../model/reminders/create-reminder.ts'
import { canonicalTimezone } from '../../store/users/settings/locales.ts'
import type { User } from '../../store/users/user-rows.ts'

/** A reminder as the user typed it. */
interface TypedReminder {
  /** UNIX seconds. */
  readonly at: number
  readonly note: string
}

const SECONDS = { m: MINUTE, h: HOUR, d: DAY, w: WEEK } as const
/** One part of a duration such as `1h30m` or `2 hours`. */
const DURATION = /(\d{1,4}) ?(m|min|mins|minutes?|h|hours?|d|days?|w|weeks?)(?![a-z])/iy
const DATE = /(\d{4})-(\d\d)-(\d\d)/y
const TIME = /(\d{1,2})(?::(\d\d))? ?(am|pm)?(?![\w:])/iy
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
/** The latest time, in seconds from now. */
const MAX_AHEAD = 3_650 * DAY
/** The time of a reminder for a day without a time. */
const MORNING = { hour: 9, minute: 0 }

/**
 * Parses what follows `/remind`: a time and a note, such as `2h call Ann`, `tomorrow 9:00 call Ann` or `monday`. `now`: UNIX seconds;
 * `zone`: the time zone of days and times. Undefined if it does not begin with a time. Source: docs/interface/users.md#commands.
 */
function readTypedReminder(text: string, now: number, zone: string): TypedReminder | undefined {
  const words = new Words(text)
  words.skip('me')
  const at = durationIn(words, now) ?? momentIn(words, now, zone)
  if (at === undefined || at > now + MAX_AHEAD) return undefined
  words.skip('to')
  return { at, note: words.rest }
}

/** A text that is read from the beginning. */
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

  /** Takes the next match. */
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

/** A calendar day, as in `Date.UTC`. */
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

/** Takes a time of day. A mere number is one only after `at`. */
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

/** Returns a moment as the zone's clocks show it. */
function localTime(seconds: number, zone: string) {
  const shown = new Date(seconds * 1_000 + offsetAt(seconds, zone))
  return {
    year: shown.getUTCFullYear(),
    month: shown.getUTCMonth(),
    day: shown.getUTCDate(),
    weekday: shown.getUTCDay(),
  }
}

/** Returns the moment at which the zone's clocks show this; in the skipped hour, an hour later. */
function instantOf({ year, month, day, hour, minute }: Day & typeof MORNING, zone: string): number {
  const shown = Date.UTC(year, month, day, hour, minute) / 1_000
  // The offsets before and after a clock change.
  const first = shown - offsetAt(shown, zone) / 1_000
  return shown - offsetAt(first, zone) / 1_000
}

/** Returns by how many milliseconds the zone's clocks are ahead of UTC. */
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

const runCommandParams = {
  command: trimmedTextUpTo(PROSE_LENGTH),
  message_id: v.optional(described(jsonInteger, 'The message of which /remind reminds. Parley only.')),
  timezone: v.optional(
    described(word, 'Of the times after /remind; by default that of the account. Parley only.'),
  ),
}
type RunCommandParams = ParametersOf<typeof runCommandParams>

/**
 * Runs a command that the user has typed, like `/ping`, `/dark` or `/remind 2h`. The answer is empty except for a reminder, since an event
 * announces a changed setting. Source: docs/interface/users.md#commands.
 */
export const runCommandEndpoint = defineEndpoint({
  operation: 'run-command',
  route: 'POST /zcommand',
  access: 'user',
  growsObject: ({ command }) => isReminder(command),
  params: runCommandParams,
  returns: v.object({
    reminder_id: v.optional(v.number()),
    scheduled_delivery_timestamp: v.optional(v.number()),
  }),
  apply(tx, caller, params): CommandAnswer {
    const { command } = params
    if (isReminder(command)) return remind(tx, caller, command.slice('/remind'.length), params)
    if (!command.startsWith('/'))
      throw new BadRequestError('There should be a leading slash in the zcommand.')
    const run = COMMANDS.get(command)
    if (!run) throw new BadRequestError(`No such command: ${command.slice(1)}`)
    run(tx, caller.user)
    return {}
  },
  audit: 'own',
})

const DARK = 2

const LIGHT = 3

/** Commands that a user can type in the compose box instead of opening the settings; bots can send them too. */
const COMMANDS = new Map<string, (tx: RealmTransaction, user: User) => void>([
  ['/ping', () => {}],
  ['/dark', (tx, user) => void changeUserSetting(tx, user, 'color_scheme', DARK)],
  ['/night', (tx, user) => void changeUserSetting(tx, user, 'color_scheme', DARK)],
  ['/light', (tx, user) => void changeUserSetting(tx, user, 'color_scheme', LIGHT)],
  ['/day', (tx, user) => void changeUserSetting(tx, user, 'color_scheme', LIGHT)],
  ['/fluid-width', (tx, user) => void changeUserSetting(tx, user, 'fluid_layout_width', true)],
  ['/fixed-width', (tx, user) => void changeUserSetting(tx, user, 'fluid_layout_width', false)],
])

/** Whether a command makes a reminder. */
function isReminder(command: string): boolean {
  return /^\/remind(?=\s|$)/.test(command)
}

/** The answer for a reminder; otherwise empty. */
interface CommandAnswer {
  readonly reminder_id?: number
  /** UNIX seconds. */
  readonly scheduled_delivery_timestamp?: number
}

function remind(
  tx: RealmTransaction,
  caller: Caller,
  asked: string,
  params: RunCommandParams,
): CommandAnswer {
  const { message_id, timezone = caller.user.timezone } = params
  const zone = canonicalTimezone(timezone) ?? 'UTC'
  const typed = readTypedReminder(asked, tx.now, zone)
  if (!typed)
    throw new BadRequestError('Say when: /remind 30m, /remind tomorrow 9:00 or /remind monday, and of what.')
  if (message_id === undefined)
    throw new BadRequestError('A reminder needs a message: message_id is missing.')
  const { at: scheduled_delivery_timestamp, note } = typed
  const reminder = { message_id, scheduled_delivery_timestamp, note }
  return { ...createReminder(tx, caller, reminder), scheduled_delivery_timestamp }
}
