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
    '`npm run performance` writes this page; nobody edits it by hand. Its counts are those that tests hold the program to. Its measurements are',
    'those of `npm run bench -- --keep`, as ratios to the bare platform doing the same work. Rows are counted as the platform bills them: each',
    'index entry is one.',
    '',
    '## What a team costs',
    '',
    `One person, on each of ${WORKING_DAYS} working days:`,
    '',
    ...habitLines(),
    '',
    `The table assumes that a request takes ${CPU_MS} ms of the Worker's processor time; everything else follows from the counts below, which are`,
    'those of a small organization. In a large one, a start of a client reads some thousands of rows if the object has just woken. The object sleeps',
    `while polls wait, but is counted as awake for ${HOURS_AWAKE} hours of each working day. The table does not include files, and storage beyond the plan.`,
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
    'Prices, from Cloudflare’s documentation in 2026 (Workers, Durable Objects and D1, pricing): a plan of',
    `$${PLAN_DOLLARS} a month, in which is included, for the whole account:`,
    '',
    '| | included | a million more |',
    '|---|--:|--:|',
    ...Object.values(PRICES).map(
      ({ unit, included, perMillion }) => `| ${unit} | ${number(included)} | $${perMillion} |`,
    ),
    '',
    '## What an operation costs',
    '',
    'All rows that are written, in the object and in D1, for any number of subscribers (`test/realm/row-counts.test.ts`):',
    '',
    '| | rows written |',
    '|---|--:|',
    ...Object.entries(WHOLE_ROWS).map(([name, rows]) => `| ${name} | ${rows} |`),
    '',
    'The next table has the rows that each operation reads and writes in the object up to its commit, and reads in D1 before it, in a small',
    'organization with nothing kept in memory (`test/realm/rows-of-operations.long.test.ts`). A change also writes a row of the log, and later its',
    'rows of D1. A page of a hundred messages reads at most 350 rows of the object and 210 of D1',
    '(`test/features/messages/page-cost.long.test.ts`). *Visitors* read without an account, where that is allowed. Each operation is one request to the',
    `Worker, and one to the object for each far trip to it. Duration is billed while the object is awake: ${(AWAKE_SECONDS * GB).toFixed(2)} GB-s for the ${AWAKE_SECONDS} s after a request that`,
    'comes alone, and nothing more for others meanwhile, whatever they do.',
    '',
    'A phone whose app sleeps keeps its queue for seven days. That costs the row of the queue, and the log from the phone’s cursor on: some 900 bytes',
    'for each short message of the organization, once for all phones together, and at most those of seven days (fewer in an object of more than 5 GB,',
    '`LOG_KEPT_FOR_QUEUES`). While nobody polls, nothing wakes the object until the first queue ends (`test/features/events/sleeping-phones.test.ts`).',
    '',
    'Trips are the successive calls that a user far away waits for, in a Worker that knows the organization: **far** ones to the realm object, to',
    'D1 itself and to R2, **near** ones to the nearest copy of D1, to the edge’s caches and to the page’s files. Calls at the same time count once.',
    'An object that is 150 ms away makes a channel message take 150 ms, and a page of messages 160.',
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
    'Two kinds of requests need more far trips. Storing a file takes two: it goes into R2 while the organization checks the request and records the key, and then the',
    'organization enters it. If the Worker has not seen the caller’s credentials accepted within the hour, it waits for that check before it stores anything, which makes',
    'three. A change that asks for one’s own password takes four: the Worker checks the password in between, and the result is counted before it is used.',
    '',
    ...measuredSections(),
    '## Limits of the design',
    '',
    '| limit | what it means here | what can be done |',
    '|---|---|---|',
    '| one object takes some 1,000 requests a second | see the last line of the first table; most of them are polls | [event streams](event-stream.md), which need no request for an event, and what happens while pollers come back goes out in one answer. One object spends some 40 µs of processor time on each stream that gets a message, a bare one some 30: ten thousand have it in half a second of that time (`npm run bench -- --delivery`), so nothing is divided yet; after that objects of their own that deliver, which are not there yet ([how they would](decisions/past-one-object.md)) |',
    '| one object is one thread | what is long goes in commits or calls of some tens of ms, with others in between. A topic of 100,000 messages takes another name in some 40 ms of one turn, since its event names them all (50,000 in an event); listing them is what grows | a topic that is twice as long takes twice that: cut topics, or delete what is old |',
    '| the first full registration of an object that has woken | it makes the sections of the snapshot (people, channels with their subscribers, groups), some 40 to 70 µs of processor time a person, in turns of at most 4,000 rows; after that an isolate that holds none is sent what the object has | clients that ask for people later |',
    '| one object stores 10 GB | its rows are an index: texts are in D1. From 9.5 GB on it refuses what makes it grow | archive or delete; nothing else yet |',
    '| one D1 stores 10 GB, for all organizations of the deployment | texts and their search, some 5 million messages. From two thirds on `/health?deep=1` says so | `npm run deploy` makes and binds the next, for new texts ([the decision](decisions/design.md#past-one-database)); up to 100 |',
    '| an isolate has 128 MiB | caches and answers under way have limits in bytes (`src/core/budgets.ts`) | none needed: what does not fit waits, or is refused with 503 |',
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
