/** The text of docs/performance.md: what an operation costs, what a team costs, and which limits come first. */
import { ROWS } from '../test/permission-matrix/rows.ts'
import { OTHER_TRIPS, tripsOf } from '../test/permission-matrix/trips.ts'
import { WHOLE_ROWS } from '../test/support/whole-rows.ts'
import {
  CPU_MS,
  costOf,
  HABITS,
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
    'Made by `npm run performance`, not edited by hand: from counts that tests hold the program to, and from what `npm run bench -- --keep` has',
    'measured, as ratios to the bare platform that does the same work. Rows are counted as the platform bills them: each index entry is one.',
    '',
    '## What a team costs',
    '',
    `One person, on each of ${WORKING_DAYS} working days:`,
    '',
    ...habitLines(),
    '',
    `A request is taken for ${CPU_MS} ms of the Worker's processor time, which is an assumption; all else follows from the counts below,`,
    'which are those of a small organization: in a large one a start of a client reads some thousands of rows. Waiting polls let the',
    'object sleep. Files, and what is stored beyond the plan, are not in it.',
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
    'All that is written, in the object and in D1, whatever the number of subscribers (`test/realm/row-counts.test.ts`):',
    '',
    '| | rows written |',
    '|---|--:|',
    ...Object.entries(WHOLE_ROWS).map(([name, rows]) => `| ${name} | ${rows} |`),
    '',
    'What each operation reads and writes in the object up to its commit, and reads in D1 before, in a small organization and with',
    'nothing kept in memory (`test/realm/rows-of-operations.long.test.ts`). A change writes a row of the log besides, and D1 gets what is',
    'its own later. A page of a hundred messages reads at most 350 rows of the object and 210 of D1',
    '(`test/endpoints/messages/page-cost.long.test.ts`). *Visitors* read without an account, where that is allowed.',
    '',
    'Trips are what somebody far away waits for, one after the other, in a Worker that knows the organization: **far** ones to the',
    'realm object, to D1 itself and to R2, **near** ones to the nearest copy of D1, to the edge’s caches and to the page’s files. What is',
    'asked side by side counts once. An object that is 150 ms away makes a channel message take 150 ms, and a page of messages 160.',
    '',
    '| operation | read | written | read in D1 | far trips | near trips |',
    '|---|--:|--:|--:|--:|--:|',
    ...[...ROWS].map(([name, { read, written, d1 }]) => {
      const { far, near } = tripsOf(name)
      return `| ${name} | ${read} | ${written} | ${d1} | ${far} | ${near} |`
    }),
    '',
    'And what is no operation of the API, or one under other circumstances (`test/realm/far-trips.test.ts`):',
    '',
    '| | far trips | near trips |',
    '|---|--:|--:|',
    ...[...OTHER_TRIPS].map(([name, { far, near }]) => `| ${name} | ${far} | ${near} |`),
    '',
    'Two kinds take more, and stay so. What stores a file takes two far trips: it goes into R2 while the organization is asked, which notes where it',
    'is to be, and then the organization enters it; entered before it is in R2, a file could be shown that is nowhere. Somebody whom the Worker has not',
    'seen let in within the hour waits for the organization’s yes before anything is stored, which makes three; what it refuses is taken out of R2 again, and',
    'what a request that broke off has left after a day. What asks for one’s own password takes four: who may is asked first, then',
    'the stored hash; the Worker checks it, where it holds up nobody, and the outcome is counted before it is of any use; then the change is made.',
    '',
    ...measuredSections(),
    '## Walls',
    '',
    '| wall | what it means here | the step over it |',
    '|---|---|---|',
    '| one object takes some 1,000 requests a second | see the last line of the first table; most of them are polls | [event streams](event-stream.md), which need no request for an event, and what happens while pollers come back goes out in one answer. One object spends some 40 µs of processor time on each stream that gets a message, as a bare one does: ten thousand have it in half a second of that time (`npm run bench -- --delivery`), so nothing is divided yet; after that objects of their own that deliver, which are not there yet ([how they would](decisions/past-one-object.md)) |',
    '| one object is one thread | what is long goes in commits or calls of some tens of ms, with others in between. A topic of 100,000 messages takes another name in some 40 ms of one turn, since its event names them all (50,000 in an event); listing them is what grows | a topic that is twice as long takes twice that: cut topics, or delete what is old |',
    '| the first full registration after a deploy | it makes the blocks of the snapshot (people, channels, subscribers), some 80 µs of processor time a person, in calls of at most 20,000 rows, and stores them; after that an isolate that holds none, and an object that wakes, read a row of each | clients that ask for people later |',
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
    `${HABITS.typingNotices} typing notices`,
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
