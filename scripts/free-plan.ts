/** Computes how many people the platform's free plan is enough for. */
import { type Hearing, PRICES, type Use, useOf, WORKING_DAYS } from './list-price.ts'
import { markdownTable } from './markdown-table.ts'

/** What the free plan allows on a day, for the whole account. Source: Cloudflare's documentation of Workers, Durable Objects and D1, limits. */
const ALLOWED = {
  workerRequests: 100_000,
  objectRequests: 100_000,
  rowsRead: 5_000_000,
  rowsWritten: 100_000,
  d1Read: 5_000_000,
  d1Written: 100_000,
} as const satisfies Partial<Use>

const GB_SECONDS = 13_000

type Limit = keyof typeof ALLOWED

const LIMITS = Object.keys(ALLOWED) as Limit[]
const HEARINGS = ['polls', 'streams'] as const
/** More people than any limit allows. */
const MANY = 100_000

/** Returns how many people of one organization use up no more of the free plan than it allows for a day. */
export function peopleWithin(limit: Limit, hearing: Hearing): number {
  let [few, many] = [0, MANY]
  while (many - few > 1) {
    const people = Math.floor((few + many) / 2)
    if (useOf(people, hearing)[limit] / WORKING_DAYS <= ALLOWED[limit]) few = people
    else many = people
  }
  return few
}

export function freePlanTable(): string[] {
  const inAll = (hearing: Hearing) => Math.min(...LIMITS.map((limit) => peopleWithin(limit, hearing)))
  const awake = Math.floor(GB_SECONDS / (useOf(MANY).gbSeconds / WORKING_DAYS))
  return markdownTable(
    ['on a day', 'allowed', 'people with long polls', 'people with event streams'],
    [
      ...LIMITS.map((limit) => [
        PRICES[limit].unit,
        number(ALLOWED[limit]),
        ...HEARINGS.map((hearing) => number(peopleWithin(limit, hearing))),
      ]),
      ['**people who fit**', '', ...HEARINGS.map((hearing) => `**${number(inAll(hearing))}**`)],
      [PRICES.gbSeconds.unit, number(GB_SECONDS), ...HEARINGS.map(() => `${awake} organizations`)],
    ],
  )
}

function number(value: number): string {
  return value.toLocaleString('en')
}
