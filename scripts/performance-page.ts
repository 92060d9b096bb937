/** The text of docs/performance.md: what an operation costs, what a team costs, and which limits come first. */
import { ROWS } from '../test/permission-matrix/rows.ts'
import { OTHER_TRIPS, tripsOf } from '../test/permission-matrix/trips.ts'
import { WHOLE_ROWS } from '../test/support/whole-rows.ts'
import {
  AWAKE_SECONDS,
  CPU_MS,
  costOf,
  GB,
  HABITS,
  HOURS_AWAKE,
  PLAN_DOLLARS,
  PRICES,
  requestsPerSecond,
  sum,
  useOf,
  WORKING_DAYS,
} from './list-price.ts'
import { measuredSections } from './measured-sections.ts'

const TEAMS = [25, 250, 1_000, 10_000]

export function performancePage(): string {
  return [
    '# Performance',
    '',
    '`npm run performance` writes this page. Tests hold the program to its counts; `npm run bench -- --keep` measures the rest. Rows are counted as the',
    'platform bills them: each index entry is one.',
    '',
    '## What a team costs',
    '',
    `One person, on each of ${WORKING_DAYS} working days:`,
    '',
    ...habitLines(),
    '',
    `A request is assumed to take ${CPU_MS} ms of the Worker's processor time, and the object to be awake for ${HOURS_AWAKE} hours of each working day; the rest follows from`,
    'the counts below. Files, and storage beyond the plan, are not included.',
    '',
    `| people | ${TEAMS.map((people) => number(people)).join(' | ')} |`,
    `|---|${TEAMS.map(() => '--:').join('|')}|`,
    ...Object.entries(PRICES).map(
      ([kind, { unit }]) =>
        `| ${unit} a month | ${TEAMS.map((people) => number(useOf(people)[kind as keyof typeof PRICES])).join(' | ')} |`,
    ),
    `| **list price a month** | ${TEAMS.map((people) => `**${price(people)}**`).join(' | ')} |`,
    `| for one person | ${TEAMS.map((people) => dollars(priceOf(people) / people)).join(' | ')} |`,
    `| requests a second to the object, on average in working hours | ${TEAMS.map((people) => requestsPerSecond(people).toFixed(1)).join(' | ')} |`,
    '',
    `Prices of Workers, Durable Objects and D1 in 2026: a plan of $${PLAN_DOLLARS} a month, which includes, for the whole account:`,
    '',
    '| | included | a million more |',
    '|---|--:|--:|',
    ...Object.values(PRICES).map(
      ({ unit, included, perMillion }) => `| ${unit} | ${number(included)} | $${perMillion} |`,
    ),
    '',
    '## What an operation costs',
    '',
    'Rows written in the object and in D1, for any number of subscribers (`test/realm/row-counts.test.ts`):',
    '',
    '| | rows written |',
    '|---|--:|',
    ...Object.entries(WHOLE_ROWS).map(([name, rows]) => `| ${name} | ${rows} |`),
    '',
    `An operation is one request to the Worker, and one to the object for each far trip to it. A request that comes alone keeps the object awake for ${AWAKE_SECONDS} s, which is ${(AWAKE_SECONDS * GB).toFixed(2)} GB-s;`,
    'others meanwhile cost no more. While nobody polls, a phone whose app sleeps costs the row of its queue, and for all phones together the log since they last polled: some 900 bytes',
    'for each short message of seven days (`test/features/events/sleeping-phones.test.ts`).',
    '',
    'The next table has the rows that an operation reads and writes in the object up to its commit, and reads in D1 before it, in a small',
    'organization with nothing kept in memory (`test/realm/rows-of-operations.long.test.ts`). A change also writes a row of the log, and later its',
    'rows of D1. *Visitors* read without an account.',
    '',
    'Trips are the successive calls that a user far away waits for: **far** ones to the realm object, to D1 itself and to R2, **near** ones to the',
    'nearest copy of D1, to the edge’s caches and to the page’s files. With an object 150 ms away a channel message takes 150 ms, and a page of messages 160.',
    '',
    '| operation | read | written | read in D1 | far trips | near trips |',
    '|---|--:|--:|--:|--:|--:|',
    ...[...ROWS].map(([name, { read, written, d1 }]) => {
      const { far, near } = tripsOf(name)
      return `| ${name} | ${read} | ${written} | ${d1} | ${far} | ${near} |`
    }),
    '',
    'Requests that are not operations of the API, and operations under other circumstances (`test/realm/far-trips.test.ts`):',
    '',
    '| | far trips | near trips |',
    '|---|--:|--:|',
    ...[...OTHER_TRIPS].map(([name, { far, near }]) => `| ${name} | ${far} | ${near} |`),
    '',
    ...measuredSections(),
    '## Limits of the design',
    '',
    '| limit | what it means here | what can be done |',
    '|---|---|---|',
    '| one object takes some 1,000 requests a second | see the last line of the first table; most of them are polls | [event streams](event-stream.md), which need no request for an event. The next step, objects that deliver, [is not built](decisions/past-one-object.md) |',
    '| one object is one thread | long work goes in turns of some tens of ms, with others in between. Renaming a topic of 100,000 messages takes some 40 ms of one turn, since its events list them all | shorter topics |',
    '| the first full registration of an object that has woken | it makes the sections of the snapshot: some 40 to 70 µs of processor time a person, in turns of at most 4,000 rows | clients that ask for people later |',
    '| one object stores 10 GB | texts are in D1, so this is the index alone. From 9.5 GB on it refuses what makes it grow | delete |',
    '| one D1 stores 10 GB, for all organizations of the deployment | texts and their search, some 5 million messages. From two thirds on `/health?deep=1` says so | `npm run deploy` makes and binds the next, for new texts ([the decision](decisions/design.md#past-one-database)); up to 100 |',
    '| an isolate has 128 MiB | caches and answers under way have limits in bytes (`src/core/budgets.ts`); what does not fit waits, or is refused with 503 | |',
    '',
  ].join('\n')
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
    `${HABITS.presences} reports of presence`,
  ].map((line) => `- ${line}`)
}

function priceOf(people: number): number {
  return PLAN_DOLLARS + sum(Object.values(costOf(useOf(people))))
}

function price(people: number): string {
  return dollars(priceOf(people))
}

function dollars(amount: number): string {
  return `$${amount.toFixed(2)}`
}

function number(value: number): string {
  return Math.round(value).toLocaleString('en')
}
