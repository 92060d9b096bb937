/** Tables of docs/performance.md from counted rows: what an operation costs, and what a team costs. */
import { CPU_MS, PLAN_DOLLARS } from '../src/model/cost/prices.ts'
import { ROWS } from '../test/meter/rows.ts'
import { OTHER_TRIPS, tripsOf } from '../test/meter/trips.ts'
import { WHOLE_ROWS } from '../test/support/whole-rows.ts'
import { freePlanTable } from './free-plan.ts'
import {
  costOf,
  HABITS,
  HOURS_AWAKE,
  PRICES,
  requestsPerSecond,
  sum,
  useOf,
  WORKING_DAYS,
} from './list-price.ts'
import { markdownTable } from './markdown-table.ts'

const TEAMS = [25, 250, 1_000, 10_000]

export function countedTables(): Record<string, string[]> {
  return {
    habits: habitLines(),
    team: markdownTable(
      ['people', ...TEAMS.map(number)],
      [
        ...Object.entries(PRICES).map(([kind, { unit }]) => [
          `${unit} a month`,
          ...TEAMS.map((people) => number(useOf(people)[kind as keyof typeof PRICES])),
        ]),
        ['**list price a month**', ...TEAMS.map((people) => `**${dollars(priceOf(people))}**`)],
        ['for one person', ...TEAMS.map((people) => dollars(priceOf(people) / people))],
        [
          'requests a second to the object, on average in working hours',
          ...TEAMS.map((people) => requestsPerSecond(people).toFixed(1)),
        ],
      ],
    ),
    prices: markdownTable(
      ['', 'included', 'a million more'],
      Object.values(PRICES).map(({ unit, included, perMillion }) => [
        unit,
        number(included),
        `$${perMillion}`,
      ]),
    ),
    'free-plan': freePlanTable(),
    rows: markdownTable(
      ['', 'rows written'],
      Object.entries(WHOLE_ROWS).map(([name, rows]) => [name, `${rows}`]),
    ),
    operations: markdownTable(
      ['operation', 'read at most', 'written at most', 'read in D1 at most', 'far trips', 'near trips'],
      [...ROWS].map(([name, { read, written, d1 }]) => {
        const { far, near } = tripsOf(name)
        return [name, ...[read, written, d1, far, near].map(String)]
      }),
    ),
    'other-trips': markdownTable(
      ['', 'far trips', 'near trips'],
      [...OTHER_TRIPS].map(([name, { far, near }]) => [name, `${far}`, `${near}`]),
    ),
  }
}

function habitLines(): string[] {
  return [
    `${HABITS.channelMessages} messages to channels and ${HABITS.directMessages} to people`,
    `${HABITS.pages} pages of a hundred messages`,
    `${HABITS.starts} starts of a client, which is open for ${HABITS.hoursOpen} hours`,
    `${HABITS.eventsHeard} events heard by long polls`,
    `${HABITS.timesMarkedRead} times something marked as read`,
    `${HABITS.reactions} reactions`,
    `${HABITS.typingNotifications} typing notifications`,
    `${HABITS.presences} reports of presence, or ${HABITS.presencesOfPage} by the page`,
    `on ${WORKING_DAYS} days a month, on each of which the object is awake for ${HOURS_AWAKE} hours`,
    `${CPU_MS} ms of the Worker’s processor time for a request, which is assumed`,
  ].map((line) => `- ${line}`)
}

function priceOf(people: number): number {
  return PLAN_DOLLARS + sum(Object.values(costOf(useOf(people))))
}

function dollars(amount: number): string {
  return `$${amount.toFixed(2)}`
}

function number(value: number): string {
  return Math.round(value).toLocaleString('en')
}
