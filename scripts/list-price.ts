/** Computes what a team costs in a month, at Cloudflare's list prices. */
import { PRICES as ALL_PRICES, CPU_MS, OBJECT_GB } from '../src/model/cost/prices.ts'
import { ROWS } from '../test/meter/rows.ts'
import { READ_ROWS, WHOLE_ROWS } from '../test/support/whole-rows.ts'

/** One person's working day. Change these numbers for other habits. */
export interface Habits {
  readonly channelMessages: number
  readonly directMessages: number
  /** Pages of a hundred messages. */
  readonly pages: number
  readonly starts: number
  readonly timesMarkedRead: number
  readonly reactions: number
  readonly typingNotifications: number
  /** Once a minute while a client is open. */
  readonly presences: number
  /** The same by the page, every 75 seconds. */
  readonly presencesOfPage: number
  readonly hoursOpen: number
  /** Events received. Each ends a poll, or is acknowledged on a stream. */
  readonly eventsHeard: number
}

export const HABITS: Habits = {
  channelMessages: 15,
  directMessages: 5,
  pages: 40,
  starts: 4,
  timesMarkedRead: 60,
  reactions: 6,
  typingNotifications: 60,
  presences: 480,
  presencesOfPage: 384,
  hoursOpen: 8,
  eventsHeard: 500,
}

export const WORKING_DAYS = 21
/** Hours of a day in which at least one person of an organization works. */
export const HOURS_AWAKE = 10
/** Seconds for which a quiet poll is held on average (docs/interface/events.md#poll). */
const POLL_SECONDS = 50
/** Seconds for which the object stays in memory after its last request. */
const AWAKE_SECONDS = 10

/** People whose presence is stored in one row. */
const PEOPLE_OF_A_ROW = 256

/** Rows of a page of a hundred messages, at most (test/features/messages/page-cost.long.test.ts). */
const PAGE_ROWS = { object: 350, d1: 210 }

const {
  fileReads: _reads,
  fileWrites: _writes,
  mails: _mails,
  objectMegabytes: _inObject,
  d1Megabytes: _inD1,
  fileMegabytes: _inFiles,
  ...OF_WORK
} = ALL_PRICES

/** Prices of the plan of $5 a month, without files and storage. */
export const PRICES = OF_WORK

export type Use = Record<keyof typeof PRICES, number>

/** How events are heard: by long polls, or as the page does by event streams. */
export type Hearing = 'polls' | 'streams'

/** Frames over a socket that count as one request to the object. */
const FRAMES_OF_A_REQUEST = 20

/** Returns what an organization with this number of people uses in a month. */
export function useOf(people: number, hearing: Hearing = 'polls', habits: Habits = HABITS): Use {
  const isPolling = hearing === 'polls'
  const polls = isPolling ? (habits.hoursOpen * 3_600) / POLL_SECONDS + habits.eventsHeard : habits.starts
  const requests: Record<string, number> = {
    'send-message': habits.channelMessages + habits.directMessages,
    'get-messages': habits.pages,
    'register-queue': habits.starts,
    'update-flags: read': habits.timesMarkedRead,
    'add-reaction': habits.reactions,
    'set-typing': habits.typingNotifications,
    'update-presence': isPolling ? habits.presences : habits.presencesOfPage,
    'get-events': polls,
  }
  const days = people * WORKING_DAYS
  const calls = sum(Object.values(requests)) * days
  const frames = isPolling ? 0 : habits.eventsHeard * days
  const heard = isPolling ? 0 : habits.eventsHeard * READ_ROWS['an event heard by a stream']
  const readWhileWorking: Record<string, number> = {
    'get-messages': PAGE_ROWS.object,
    'update-presence': READ_ROWS['a report of presence'],
  }
  const readFor = (name: string) => readWhileWorking[name] ?? ROWS.get(name)!.read
  const presenceSaved =
    Math.ceil(people / PEOPLE_OF_A_ROW) * HOURS_AWAKE * WHOLE_ROWS['an hour of presence, of up to 256 people']
  const d1Written = 3 * (habits.channelMessages + habits.directMessages)
  const written =
    WHOLE_ROWS['a channel message'] * habits.channelMessages +
    WHOLE_ROWS['a direct message'] * habits.directMessages +
    WHOLE_ROWS['a queue registered without a snapshot'] * habits.starts +
    WHOLE_ROWS['one message marked as read'] * habits.timesMarkedRead +
    WHOLE_ROWS['a reaction'] * habits.reactions +
    WHOLE_ROWS['somebody arrives'] * habits.starts
  return {
    workerRequests: calls,
    cpuMs: calls * CPU_MS,
    objectRequests: calls + frames / FRAMES_OF_A_REQUEST,
    gbSeconds: Math.min(HOURS_AWAKE * 3_600 * WORKING_DAYS, calls * AWAKE_SECONDS) * OBJECT_GB,
    rowsRead: (sum(Object.entries(requests).map(([name, times]) => times * readFor(name))) + heard) * days,
    rowsWritten: (written - d1Written) * days + presenceSaved * WORKING_DAYS,
    d1Read: habits.pages * PAGE_ROWS.d1 * days,
    d1Written: d1Written * days,
  }
}

/** Returns the requests a second to the object, as the average of the hours in which clients are open. */
export function requestsPerSecond(people: number): number {
  return useOf(people).objectRequests / WORKING_DAYS / (HABITS.hoursOpen * 3_600)
}

/** Returns the dollars a month for use beyond the plan, by kind. */
export function costOf(use: Use): Record<keyof typeof PRICES, number> {
  const beyond = (kind: keyof typeof PRICES) =>
    (Math.max(0, use[kind] - PRICES[kind].included) / 1e6) * PRICES[kind].perMillion
  return Object.fromEntries(
    (Object.keys(PRICES) as (keyof typeof PRICES)[]).map((kind) => [kind, beyond(kind)]),
  ) as Record<keyof typeof PRICES, number>
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
