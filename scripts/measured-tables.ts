/** Tables of docs/performance.md from the files that `npm run bench -- --keep` has written into bench/measured. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BesideImport, WAITING_GOAL_MS } from '../bench/beside-import.ts'
import type { Delivery } from '../bench/delivery.ts'
import type { Idle } from '../bench/idle.ts'
import type { ReadingCost, WritingCost } from '../bench/imports.ts'
import { type Ladder, ladderOf } from '../bench/ladder.ts'
import type { LargeResults } from '../bench/large.ts'
import type { PageResults, Spread } from '../bench/page.ts'
import { EVENT_GOAL_MS, FRAME_GOAL_MS, OPEN_GOAL_MS, type PageGoals } from '../bench/page-goals.ts'
import { BARE_WITH_CALLER, type RegistersResults } from '../bench/registers.ts'
import type { Results } from '../bench/report.ts'
import type { TimesAtSize } from '../bench/worker-time.ts'
import { fromJson } from './json.ts'
import { markdownTable } from './markdown-table.ts'
import { targetsTable } from './measured-targets.ts'
import { PROJECT } from './project.ts'

const ROUNDS_OF_AN_HOUR = 72
/** GB-seconds of an object that never sleeps: 3,600 s at 128 MB. */
const GB_SECONDS_OF_AN_HOUR = 461

interface ImportResults {
  readonly reading: readonly ReadingCost[]
  readonly writing: WritingCost
  readonly beside: BesideImport
}

export function measuredTables(): Record<string, string[]> {
  const results = measured<Results>('throughput')
  const { registers } = measured<{ registers: RegistersResults[] }>('registers')
  const { large } = measured<{ large: LargeResults[] }>('large')
  const { delivery } = measured<{ delivery: Delivery[] }>('delivery')
  const { reading, writing, beside } = measured<ImportResults>('import')
  return {
    targets: targetsTable({ results, registers, large, delivery }),
    obliged: baselineTable(results, registers),
    requests: requestsTable(results),
    'ladder-of-sends': ladderTable(results, 'send to 10 subscribers'),
    'ladder-of-pages': ladderTable(results, 'fetch 100 messages'),
    listening: listeningTable(results),
    registrations: registrationsTable(registers),
    delivery: deliveryTable(delivery),
    large: largeTable(large),
    'imports-read': readingTable(reading),
    'imports-written': writingTable(writing),
    'beside-imports': besideTable(beside),
    idle: idleTable(measured<{ idle: Idle }>('idle').idle),
    'worker-time': workerTimeTable(measured<{ results: TimesAtSize[] }>('worker-time').results),
    page: pageTable(measured<{ page: PageResults[] }>('page').page),
  }
}

function workerTimeTable(sizes: readonly TimesAtSize[]): string[] {
  return markdownTable(
    ['', ...sizes.flatMap(({ users }) => [`${users} people`, 'the first request'])],
    sizes[0]!.times.map(({ name }, at) => [
      name,
      ...sizes.flatMap(({ times }) => [times[at]!.ms.toFixed(1), times[at]!.firstMs.toFixed(1)]),
    ]),
  )
}

function measured<Of extends object>(name: string): Of {
  return fromJson<Of>(readFileSync(join(PROJECT, 'bench/measured', `${name}.json`), 'utf8'))
}

/** Compares the controls that do what Parley has to do with Parley. */
function baselineTable({ throughput, listening }: Results, registers: readonly RegistersResults[]): string[] {
  const rows: { what: string; control: number; own: number }[] = []
  for (const name of ['send to 10 subscribers', 'fetch 100 messages'] as const) {
    const { rungs, parley } = ladder(throughput, name)
    rows.push({ what: name, control: rungs.at(-1)!.processorMs, own: parley.processorMs })
  }
  for (const { name, members, senders, processorMs } of listening) {
    if (!name.startsWith('obliged, ')) continue
    const way = name.slice('obliged, '.length)
    const own = listening.find(
      (one) => one.name === `Parley, ${way}` && one.members === members && one.senders === senders,
    )
    const what = `a send by one of ${senders}, heard by ${members} members by ${way}`
    if (own) rows.push({ what, control: processorMs, own: own.processorMs })
  }
  for (const { users, costs } of registers) {
    const timeOf = (wanted: string) => costs.find(({ name }) => name === wanted)!.processorMs
    const what = `a full registration, ${whole(users)} people`
    rows.push({ what, control: timeOf(BARE_WITH_CALLER), own: timeOf('known') })
  }
  return markdownTable(
    ['', 'control, ms', 'Parley, ms', 'ratio'],
    rows.map(({ what, control, own }) => [what, two(control), two(own), two(control / own)]),
  )
}

function requestsTable({ throughput }: Results): string[] {
  const [insert, withBody] = throughput
  const controlOf = (name: string) => {
    if (name.startsWith('bare')) return ['', '']
    const { processorMs } = throughput.find((one) => one.name === name)!
    const bodies = throughput.find((one) => one.name.includes('100 bodies'))!
    if (name.startsWith('fetch')) return ['', two(bodies.processorMs / processorMs)]
    if (!name.startsWith('send')) return ['', '']
    return [two(insert!.processorMs / processorMs), two(withBody!.processorMs / processorMs)]
  }
  return markdownTable(
    ['', 'processor, ms', 'ratio to a bare insert', 'ratio to the control that does the same in D1'],
    throughput
      .filter((one) => !one.ladder)
      .map(({ name, processorMs }) => [name, two(processorMs), ...controlOf(name)]),
  )
}

function ladder(throughput: Results['throughput'], name: Ladder) {
  const found = ladderOf(throughput, name)
  if (!found) throw new Error(`There is no ladder of ${name}`)
  return found
}

function ladderTable({ throughput }: Results, name: Ladder): string[] {
  const { rungs, parley } = ladder(throughput, name)
  return markdownTable(
    ['', 'processor, ms', 'part of Parley’s time'],
    [
      ...rungs.map((rung) => [rung.name, two(rung.processorMs), two(rung.processorMs / parley.processorMs)]),
      [`Parley: ${parley.name}`, two(parley.processorMs), ''],
    ],
  )
}

function listeningTable({ listening }: Results): string[] {
  return markdownTable(
    ['members, by', 'senders', 'control, ms', 'Parley, ms', 'ratio', 'heard, control', 'heard, Parley'],
    listening
      .filter(({ name }) => name.startsWith('Parley'))
      .map(({ name, members, senders, processorMs, processorRatio, heard }) => {
        const way = name.slice('Parley, '.length)
        const control = listening.find(
          (one) => one.name === `bare, ${way}` && one.members === members && one.senders === senders,
        )
        return [
          `${members}, ${way}`,
          `${senders}`,
          two(processorMs * processorRatio),
          two(processorMs),
          two(processorRatio),
          percent(control?.heard),
          percent(heard),
        ]
      }),
  )
}

/** Empty where it was not measured. */
function percent(part: number | undefined): string {
  return part === undefined ? '' : `${(part * 100).toFixed(0)} %`
}

function registrationsTable(all: readonly RegistersResults[]): string[] {
  return markdownTable(
    [
      'its sections are',
      ...all.map(({ users, bytes }) => `${whole(users)} people, ${(bytes / 1e6).toFixed(1)} MB`),
    ],
    all[0]!.costs.map(({ name }) => [
      name,
      ...all.map(({ costs }) => {
        const { processorMs, rows } = costs.find((one) => one.name === name)!
        const time = `${two(processorMs)} ms`
        return name.startsWith('bare') ? time : `${time}, ${whole(rows.read)} / ${whole(rows.written)}`
      }),
    ]),
  )
}

function deliveryTable(rows: readonly Delivery[]): string[] {
  const bareOf = ({ way, listeners }: Delivery) =>
    rows.find((one) => one.way === `bare, ${way}` && one.listeners === listeners)
  return markdownTable(
    [
      ...['listeners, by', 'first', 'median', 'last', 'last, five a second, at the beginning'],
      ...['at the end', 'processor, ms', 'ratio to the control'],
    ],
    rows.map((one) => {
      const bare = bareOf(one)
      const times = [one.first, one.median, one.last, one.steadyBegin, one.steadyEnd].map((ms) =>
        ms === undefined ? '' : whole(ms),
      )
      const ratio = bare ? two(bare.processorMs / one.processorMs) : ''
      return [`${whole(one.listeners)}, ${one.way}`, ...times, whole(one.processorMs), ratio]
    }),
  )
}

function largeTable(all: readonly LargeResults[]): string[] {
  const names = new Set(all.flatMap(({ operations }) => operations.map(({ name }) => name)))
  const row = (name: string, value: (one: LargeResults) => string) => [name, ...all.map(value)]
  return markdownTable(
    ['', ...all.map(({ size }) => `${whole(size.users)} people, ${whole(size.messages)} messages`)],
    [
      ...[...names].map((name) =>
        row(name, ({ operations }) => {
          const one = operations.find((operation) => operation.name === name)
          if (!one) return ''
          return `${whole(one.processorMs)} ms, ${whole(one.rows.read)} / ${whole(one.rows.written)}, ${whole(one.longestWaitMs)} ms`
        }),
      ),
      row(
        'first answer of an object that was evicted',
        (one) => `${whole(one.firstAnswerProcessorMs)} ms (by the clock ${whole(one.firstAnswerMs)})`,
      ),
      row('heap of the object, idle, MB', ({ heap }) => megabytes(heap.idle.object)),
      row('the same, two thousand queues waiting, MB', ({ heap }) => megabytes(heap.waiting.object)),
      row('heap of the Worker’s isolate then, MB', ({ heap }) => megabytes(heap.waiting.worker)),
      ...Object.keys(all[0]!.heap.requests).map((name) =>
        row(`${name}: more in object / Worker meanwhile, MB`, ({ heap }) => {
          const { object, worker } = heap.requests[name]!
          return `${megabytes(object)} / ${megabytes(worker)}`
        }),
      ),
      row('accounts created in a second of processor time', ({ size, accountsProcessorSeconds }) =>
        accountsProcessorSeconds > 0 ? whole(size.users / accountsProcessorSeconds) : '',
      ),
      row(
        'messages seeded in a second of processor time',
        ({ size, seedProcessorSeconds, accountsProcessorSeconds }) =>
          // With more people, subscriptions take most of the time.
          size.messages > size.users
            ? whole(size.messages / (seedProcessorSeconds - (accountsProcessorSeconds ?? 0)))
            : '',
      ),
    ],
  )
}

function readingTable(reading: readonly ReadingCost[]): string[] {
  return markdownTable(
    ['read', 'messages', 'archive', 'messages a second of processor time', 'held'],
    reading.map((one) => [
      one.format,
      whole(one.messages),
      `${one.archiveMiB.toFixed(1)} MiB`,
      whole(one.perSecond),
      `${one.heldMiB.toFixed(1)} MiB`,
    ]),
  )
}

function writingTable({ messages, perSecond, bare }: WritingCost): string[] {
  const row = (by: string, of: number) => [by, whole(of), two(perSecond / of)]
  return markdownTable(
    [`${whole(messages)} written by`, 'messages a second of processor time', 'ratio'],
    [
      ['Parley', whole(perSecond), ''],
      row('bare, with Markdown', bare.rendered),
      row('bare, rows alone', bare.rows),
    ],
  )
}

function besideTable({ messages, waiting }: BesideImport): string[] {
  const times = ({ medianMs, p99Ms, maxMs }: BesideImport['waiting'][number]['alone']) =>
    [medianMs, p99Ms, maxMs].map((time) => time.toFixed(0)).join(' / ')
  return markdownTable(
    [
      ...['', 'requests', `during an import of ${whole(messages)}`, 'without one'],
      ...['ratio of the medians', `within ${WAITING_GOAL_MS} ms`],
    ],
    waiting.map(({ what, alone, beside }) => [
      what,
      whole(beside.count),
      times(beside),
      times(alone),
      two(beside.medianMs / alone.medianMs),
      beside.maxMs <= WAITING_GOAL_MS ? 'yes' : '**no**',
    ]),
  )
}

function idleTable({ clients, rounds, polls, heartbeats, rows, processorMs }: Idle): string[] {
  const hour = (count: number) => whole((count * ROUNDS_OF_AN_HOUR) / rounds)
  return markdownTable(
    ['', `${whole(clients)} clients, an hour`],
    [
      ['rounds measured', `${rounds} of ${ROUNDS_OF_AN_HOUR}`],
      ['requests to the Worker, and calls from it to the object', hour(polls)],
      ['messages over sockets, for which the object wakes', hour(heartbeats)],
      ['rows read', hour(rows.read)],
      ['rows written', hour(rows.written)],
      ['processor time of Worker and object, s', hour(processorMs / 1_000)],
      [
        'GB-s that the object is awake, at most: these messages leave it hardly any sleep',
        `${GB_SECONDS_OF_AN_HOUR}`,
      ],
    ],
  )
}

function pageTable(all: readonly PageResults[]): string[] {
  const row = (
    name: string,
    goal: (one: PageResults) => number | undefined,
    of: (one: PageResults) => Spread,
  ) => [
    name,
    ...all.flatMap((one) => {
      const { median, worst } = of(one)
      return [`${whole(median)}, ${whole(worst)}`, `${goal(one) ?? ''}`]
    }),
  ]
  const goalOf = (name: keyof PageGoals) => (one: PageResults) => one.goals[name]
  return markdownTable(
    ['', ...all.flatMap(({ name }) => [name, 'goal'])],
    [
      row('log-in to first messages', goalOf('firstMessages'), (one) => one.firstMessages),
      row(
        'the same, processor four times slower',
        goalOf('firstMessagesSlowly'),
        (one) => one.firstMessagesSlowly,
      ),
      row(
        'a channel, first time',
        () => OPEN_GOAL_MS,
        (one) => one.openFirst,
      ),
      row(
        'processor time of the page for it',
        () => undefined,
        (one) => one.openProcessor,
      ),
      row(
        'a channel, again',
        () => OPEN_GOAL_MS,
        (one) => one.openAgain,
      ),
      row(
        'a live message, after its event',
        () => EVENT_GOAL_MS,
        (one) => one.live,
      ),
      [
        'the longest frame while messages are scrolled',
        ...all.flatMap(({ scroll }) => [
          `${whole(scroll.worstFrame)} (${whole(scroll.messages)} messages)`,
          `${FRAME_GOAL_MS}`,
        ]),
      ],
      ['heap, MB', ...all.flatMap(({ heap }) => [heap.map(megabytes).join(', '), ''])],
      ['programs that wanted a core meanwhile', ...all.flatMap(({ load }) => [load.toFixed(0), ''])],
    ],
  )
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en')
}

function two(value: number): string {
  return value.toFixed(2)
}

function megabytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(0)
}
