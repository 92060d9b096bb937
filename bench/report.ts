/** Prints the results as tables for the terminal. */
import type { BusyPolls } from './busy-polls.ts'
import type { Bystanders } from './bystanders.ts'
import type { OperationRows } from './counted-rows.ts'
import { DELIVERY_GOALS, type Delivery } from './delivery.ts'
import type { FanOut } from './fan-out.ts'
import { type Idle, ROUNDS_OF_AN_HOUR } from './idle.ts'
import type { HeapBytes } from './isolate-heap.ts'
import { LADDERS, ladderOf, type MeasuredLadder } from './ladder.ts'
import { LARGE_GOALS, type LargeResults } from './large.ts'
import type { Listening } from './listening.ts'
import type { Measurement } from './markdown-cost.ts'
import type { OrganizationsResults } from './organizations.ts'
import type { PageResults, Spread } from './page.ts'
import { EVENT_GOAL_MS, FRAME_GOAL_MS, OPEN_GOAL_MS } from './page-goals.ts'
import type { RegistersResults } from './registers.ts'
import type { StartUp } from './start-up.ts'
import { kilobytes, megabytes, ms, namesOf, ratio, table } from './tables.ts'
import type { PacedLatency, Throughput } from './throughput.ts'

export interface FanOutRow extends FanOut {
  readonly name: string
  readonly polls: number
  /** Ratio of the time of the last listener to the better of the two ways of the bare platform. */
  readonly ratio: number
}

export interface Results {
  readonly machine: Readonly<Record<string, string | number>>
  readonly seconds: number
  readonly throughput: readonly Throughput[]
  readonly latency: readonly PacedLatency[]
  readonly fanOut: readonly FanOutRow[]
  readonly listening: readonly Listening[]
  readonly bystanders: readonly Bystanders[]
  readonly rows: readonly OperationRows[]
  readonly markdown: readonly Measurement[]
  readonly startUp: StartUp
}

export function printResults(results: Results): void {
  table(
    'Throughput: 32 requests always under way',
    ['', 'a second', 'ratio', 'processor, ms', 'ratio'],
    results.throughput
      .filter(({ ladder }) => !ladder)
      .map((one) => [
        one.name,
        one.perSecond.toFixed(0),
        ratio(one.ratio),
        one.processorMs.toFixed(2),
        ratio(results.throughput[0]!.processorMs / one.processorMs),
      ]),
  )
  for (const name of LADDERS) printLadder(ladderOf(results.throughput, name))
  table(
    'Latency at a pace, ms',
    ['', 'a second', 'min', 'p50', 'p95', 'p99', 'max', 'ratio p50'],
    [
      ...results.latency.map((one) => [
        one.name,
        String(one.rate),
        ...[one.min, one.p50, one.p95, one.p99, one.max].map(ms),
        ratio(one.ratio),
      ]),
    ],
  )
  table(
    'One event to many waiting polls, ms',
    ['', 'polls', 'first', 'median', 'last', 'ratio last'],
    [
      ...results.fanOut.map((one) => [
        one.name,
        String(one.polls),
        ...[one.first, one.median, one.last].map(ms),
        ratio(one.ratio),
      ]),
    ],
  )
  table(
    'Acknowledged sends while all members listen',
    ['', 'members', 'senders', 'a second', 'ratio', 'processor, ms', 'ratio', 'heard'],
    results.listening.map((one) => [
      one.name,
      String(one.members),
      String(one.senders),
      one.perSecond.toFixed(0),
      ratio(one.ratio),
      one.processorMs.toFixed(2),
      ratio(one.processorRatio),
      `${((one.heard ?? 0) * 100).toFixed(0)} %`,
    ]),
  )
  table(
    'A message while many wait who do not get it',
    ['', 'ms', 'ratio'],
    results.bystanders.map((one) => [`${one.waiting} wait`, ms(one.sendMs), ratio(one.ratio)]),
  )
  const operations = [...new Set(results.rows.map(({ operation }) => operation))]
  table(
    'Rows: read / written',
    ['', 'object, 10', 'object, 1,000', 'D1, 10', 'D1, 1,000'],
    [
      ...operations.map((operation) => {
        const at = (subscribers: number) =>
          results.rows.find((one) => one.operation === operation && one.subscribers === subscribers)
        const show = (counts: { read: number; written: number } | undefined) =>
          counts ? `${counts.read} / ${counts.written}` : ''
        return [operation, show(at(10)?.object), show(at(1000)?.object), show(at(10)?.d1), show(at(1000)?.d1)]
      }),
    ],
  )
  const { size, gzipSize, firstAnswerMs, bareFirstAnswerMs } = results.startUp
  table(
    'Markdown, size and start',
    ['', ''],
    [
      ...results.markdown.map((one) => [one.name, `${one.value} ${one.unit}`]),
      ['Worker, as deployed', `${kilobytes(size)}, ${kilobytes(gzipSize)} compressed`],
      ['process start to first answer', `${ms(firstAnswerMs)} ms, bare ${ms(bareFirstAnswerMs)} ms`],
    ],
  )
  console.log(`\n${results.seconds.toFixed(0)} s in all`)
}

function printLadder(ladder: MeasuredLadder | undefined): void {
  if (!ladder) return
  table(
    `The work of any server, step by step: ${ladder.parley.name}`,
    ['', 'processor, ms', 'of Parley’s'],
    [...ladder.rungs, ladder.parley].map(({ name, processorMs }) => [
      name,
      processorMs.toFixed(2),
      ratio(processorMs / ladder.parley.processorMs),
    ]),
  )
}

/** The share of the time below which a function is left out. */
const SHARE_SHOWN = 0.01

export function printProfile(title: string, { idle, functions }: BusyPolls): void {
  table(
    `${title}: share of the processor’s time`,
    ['', 'itself', 'with what it calls'],
    functions
      .filter((one) => one.self >= SHARE_SHOWN || one.inclusive >= 3 * SHARE_SHOWN)
      .map((one) => [one.name, percent(one.self), percent(one.inclusive)]),
  )
  console.log(`\nidle ${percent(idle)}`)
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`
}

export function printLarge({
  size,
  heap: { queues, idle, waiting, requests },
  heapAfter,
  firstAnswerMs,
  operations,
  ...results
}: LargeResults): void {
  const { users, channels, messages } = size
  table(
    `${users} people, ${channels} channels, ${messages} messages`,
    [
      '',
      'ms',
      'processor, ms',
      'rows read',
      'written',
      'others’ longest wait, ms',
      'longest turn of the object',
    ],
    operations.map(({ name, rows, ...one }) => [
      name,
      ms(one.ms),
      ms(one.processorMs),
      String(rows.read),
      String(rows.written),
      ms(one.longestWaitMs),
      ms(one.longestTurnMs),
    ]),
  )
  console.log(
    `\nseeded in ${results.seedSeconds.toFixed(0)} s (processor ${results.seedProcessorSeconds.toFixed(0)} s); first answer of an object that was evicted: ${ms(firstAnswerMs)} ms (processor ${ms(results.firstAnswerProcessorMs)} ms)`,
  )
  const both = ({ worker, object }: HeapBytes) => `${megabytes(object)} and ${megabytes(worker)}`
  console.log(
    `heap of the object and of the Worker after a collection, MB: ${both(idle)} idle, ${both(waiting)} with ${queues} queues that wait (goal ${megabytes(LARGE_GOALS.heapBytes)} of the object); ${both(heapAfter)} in the end`,
  )
  console.log(
    `while one request is under way, MB more of the object and of the Worker (goal ${megabytes(LARGE_GOALS.requestHeapBytes)} of the Worker): ${Object.entries(
      requests,
    )
      .map(([name, bytes]) => `${name} ${both(bytes)}`)
      .join('; ')}`,
  )
  const over = operations.filter(({ longestWaitMs }) => longestWaitMs > LARGE_GOALS.waitMs)
  const long = operations.filter(({ longestTurnMs }) => longestTurnMs > LARGE_GOALS.turnMs)
  console.log(`a turn of the object of more than ${LARGE_GOALS.turnMs} ms in: ${namesOf(long)}`)
  console.log(`another user waited more than ${LARGE_GOALS.waitMs} ms for: ${namesOf(over)}`)
}

export function printPage(results: readonly PageResults[]): void {
  for (const { name, goals, scroll, heap, ...one } of results) {
    const row = (what: string, { median, worst }: Spread, goal: number) => [
      what,
      ms(median),
      ms(worst),
      String(goal),
    ]
    table(
      `The page with ${name}, ms`,
      ['', 'median', 'worst', 'goal'],
      [
        row('log-in to first messages', one.firstMessages, goals.firstMessages),
        row('the same, processor 4 × slower', one.firstMessagesSlowly, goals.firstMessagesSlowly),
        row('a channel, first time', one.openFirst, OPEN_GOAL_MS),
        row('a channel, again', one.openAgain, OPEN_GOAL_MS),
        [
          'the page’s processor time for the first',
          ms(one.openProcessor.median),
          ms(one.openProcessor.worst),
          '',
        ],
        row('a live message, after its event', one.live, EVENT_GOAL_MS),
        [
          `frames while ${scroll.messages} messages are scrolled in ${scroll.seconds.toFixed(0)} s`,
          '',
          ms(scroll.worstFrame),
          String(FRAME_GOAL_MS),
        ],
      ],
    )
    console.log(
      `load ${one.load.toFixed(1)} on ${one.cores} cores; heap after a collection, MB, minute by minute of five messages a second: ${heap.map(megabytes).join(', ')}`,
    )
  }
}

/** Prints a table of figures that grow with the organization, with a column for each size. */
export function printGrowth(results: readonly LargeResults[]): void {
  const [first] = results
  if (!first || results.length < 2) return
  const shown = (value: (one: LargeResults) => string) => results.map(value)
  const costs = first.operations.map(({ name }) => [
    name,
    ...results.map(({ operations }) => {
      const one = operations.find((operation) => operation.name === name)
      return one ? `${ms(one.ms)} ms, ${one.rows.read} / ${one.rows.written}` : ''
    }),
  ])
  table(
    'Growth: ms, rows of the object read / written',
    ['', ...shown(({ size }) => `${size.users} people, ${size.messages} messages`)],
    [
      ...costs,
      ['first answer of an object that was evicted, ms', ...shown((one) => ms(one.firstAnswerMs))],
      ['heap of the object, idle, MB', ...shown((one) => megabytes(one.heap.idle.object))],
      ['heap of the object, while queues wait, MB', ...shown((one) => megabytes(one.heap.waiting.object))],
      ['heap of the Worker, while queues wait, MB', ...shown((one) => megabytes(one.heap.waiting.worker))],
      ['heap of the object, in the end, MB', ...shown((one) => megabytes(one.heapAfter.object))],
      ['seeded in, s', ...shown((one) => one.seedSeconds.toFixed(0))],
    ],
  )
}

export function printDelivery(rows: readonly Delivery[]): void {
  table(
    'One message to all who listen, ms; five messages a second, when the last has them, ms',
    [
      '',
      'listeners',
      'first',
      'median',
      'last',
      'last of the first ten',
      'last of the last ten',
      'processor, ms',
    ],
    rows.map((one) => [
      one.way,
      String(one.listeners),
      ...[one.first, one.median, one.last, one.steadyBegin, one.steadyEnd, one.processorMs].map((value) =>
        value === undefined ? '' : ms(value),
      ),
    ]),
  )
  const over = rows.filter(({ last }) => last > DELIVERY_GOALS.lastMs)
  const names = over.map(({ way, listeners }) => ({ name: `${listeners} by ${way}` }))
  console.log(`\nthe last after more than ${DELIVERY_GOALS.lastMs} ms: ${namesOf(names)}`)
}

export function printRegisters(results: readonly RegistersResults[]): void {
  for (const { users, channels, bytes, costs, herds, herdHeap } of results) {
    const bare = costs[0]!
    table(
      `A full registration among ${users} people and ${channels} channels: ${(bytes / 1e6).toFixed(1)} MB`,
      ['its blocks are', 'ms', 'processor, ms', 'to bare', 'rows read', 'written'],
      costs.map(({ name, rows, ...one }) => [
        name,
        ms(one.ms),
        ms(one.processorMs),
        ratio(one.processorMs / bare.processorMs),
        String(rows.read),
        String(rows.written),
      ]),
    )
    table(
      'Many at once',
      ['', 'answered', 'bare', 'last, ms', 'bare', 'to bare', 'processor, ms', 'bare', 'to bare'],
      herds.map((one) => [
        String(one.parley.at),
        String(one.parley.answered),
        String(one.bare.answered),
        ms(one.parley.lastMs),
        ms(one.bare.lastMs),
        ratio(one.parley.lastMs / one.bare.lastMs),
        ms(one.parley.processorMs),
        ms(one.bare.processorMs),
        ratio(one.parley.processorMs / one.bare.processorMs),
      ]),
    )
    if (!herdHeap) continue
    const { at, bytes: most } = herdHeap
    console.log(
      `\nheap while ${at} register, MB: ${megabytes(most.object)} of the object, ${megabytes(most.worker)} of the Worker`,
    )
  }
}

export function printIdle({ clients, rounds, polls, heartbeats, rows, processorMs }: Idle): void {
  const hour = (count: number) => Math.round((count * ROUNDS_OF_AN_HOUR) / rounds).toLocaleString('en')
  table(
    `${clients} clients to whom nothing happens`,
    ['', `${rounds} rounds`, 'an hour'],
    [
      ['requests to the Worker', String(polls), hour(polls)],
      ['requests to the object', String(polls), hour(polls)],
      ['messages over the sockets to the object', String(heartbeats), hour(heartbeats)],
      ['rows read', String(rows.read), hour(rows.read)],
      ['rows written', String(rows.written), hour(rows.written)],
      ['processor time of the runtime, ms', String(processorMs), hour(processorMs)],
    ],
  )
}

export function printOrganizations({ organizations, parley, bare, ...results }: OrganizationsResults): void {
  const row = (what: string, pick: (one: OrganizationsResults['parley']) => number) => [
    what,
    ms(pick(parley)),
    ms(pick(bare)),
    ratio(pick(parley) / pick(bare)),
  ]
  table(
    `${organizations} organizations in one deployment, ms`,
    ['', 'Parley', 'bare objects', 'ratio'],
    [
      row('first request of each, p50', ({ first }) => first.p50),
      row('p99', ({ first }) => first.p99),
      row('processor of one', ({ firstWork }) => firstWork),
      row('second request of each, p50', ({ second }) => second.p50),
      row('p99', ({ second }) => second.p99),
      row('processor of one', ({ secondWork }) => secondWork),
      row('requests to the others, one quiet too, p50', ({ quiet }) => quiet.p50),
      row('p99', ({ quiet }) => quiet.p99),
      row('requests to the others, one busy, p50', ({ besideBusy }) => besideBusy.p50),
      row('p99', ({ besideBusy }) => besideBusy.p99),
      row('p99, busy to quiet', ({ besideBusy, quiet }) => besideBusy.p99 / quiet.p99),
      row(`processor in ${results.idleSeconds} s without a request`, ({ idleMs }) => idleMs),
    ],
  )
  const { first, second } = results.d1Read
  const { before, after } = results.heapBytes
  console.log(`\nrows of D1 read by all first requests together ${first}, by all second ones ${second}`)
  console.log(
    `heap, MB: ${megabytes(before)} before the first request, ${megabytes(after)} when all were asked; seeded in ${results.seedSeconds.toFixed(0)} s`,
  )
}
