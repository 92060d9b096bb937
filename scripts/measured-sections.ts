/** The measured part of docs/performance.md, made from the files that `npm run bench -- --keep` has written into bench/measured. */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BesideImport, WAITING_GOAL_MS } from '../bench/beside-import.ts'
import type { Delivery } from '../bench/delivery.ts'
import type { Idle } from '../bench/idle.ts'
import type { ReadingCost, WritingCost } from '../bench/imports.ts'
import { LADDERS, ladderOf, type MeasuredLadder, SHARES_TURNS } from '../bench/ladder.ts'
import type { LargeResults } from '../bench/large.ts'
import type { PageResults, Spread } from '../bench/page.ts'
import { EVENT_GOAL_MS, FRAME_GOAL_MS, OPEN_GOAL_MS, type PageGoals } from '../bench/page-goals.ts'
import type { RegistersResults } from '../bench/registers.ts'
import type { Results } from '../bench/report.ts'
import { fromJson } from './json.ts'
import { aimLines } from './measured-aims.ts'
import { PROJECT } from './project.ts'

type Kept<Of> = Of & { readonly at: string }

const ROUNDS_OF_AN_HOUR = 72
/** GB-seconds of an object that never sleeps: 3,600 s at 128 MB. */
const GB_SECONDS_OF_AN_HOUR = 461

export function measuredSections(): string[] {
  return [
    '## Measured',
    '',
    'The machine had two cores and other work, so the tables have **processor time** of the server’s process (Worker, object and D1 together) in ms. A ratio',
    'is the processor time of the bare platform (the control) for the same work in the same run, divided by Parley’s: 0.5 means that Parley takes twice as',
    'long. Times of the clock are longer than on a free machine. `npm run bench -- --keep`, with the options named below, measures again.',
    '',
    ...aimLines({
      throughput: kept('throughput'),
      registers: kept('registers'),
      large: kept('large'),
      delivery: kept('delivery'),
    }),
    ...part<Results>('throughput', throughputLines),
    ...part<{ registers: RegistersResults[] }>('registers', ({ registers }) => registerLines(registers)),
    ...part<{ delivery: Delivery[] }>('delivery', ({ delivery }) => deliveryLines(delivery)),
    ...part<{ large: LargeResults[] }>('large', ({ large }) => largeLines(large)),
    ...part<ImportResults>('import', importLines),
    ...part<{ idle: Idle }>('idle', ({ idle }) => idleLines(idle)),
    ...part<{ page: PageResults[] }>('page', ({ page }) => pageLines(page)),
  ]
}

interface ImportResults {
  readonly reading: readonly ReadingCost[]
  readonly writing: WritingCost
  readonly beside?: BesideImport
}

function importLines({ reading, writing, beside }: ImportResults): string[] {
  const { messages, perSecond, bare } = writing
  const ratio = (of: number) => `${whole(of)} | ${two(perSecond / of)}`
  return [
    '### Imports',
    '',
    '`npm run bench -- --import`, with `--messages 100000,1000000` for large archives: texts of 200 characters with a mention and a link, every tenth message with a reaction. *Held* is',
    'the memory that reading took.',
    '',
    '| read | messages | archive | messages a second of processor time | held |',
    '|---|--:|--:|--:|--:|',
    ...reading.map(
      (one) =>
        `| ${one.format} | ${whole(one.messages)} | ${one.archiveMiB.toFixed(1)} MiB | ${whole(one.perSecond)} | ${one.heldMiB.toFixed(1)} MiB |`,
    ),
    '',
    `${whole(messages)} messages were written; the time includes D1’s. The bare platform writes the same rows, many by each statement, and looks nothing up; *with Markdown* it`,
    'makes HTML with markdown-it, without mentions, previews or linkifiers.',
    '',
    '| written | messages a second of processor time | ratio |',
    '|---|--:|--:|',
    `| Parley | ${whole(perSecond)} | |`,
    `| bare, with Markdown | ${ratio(bare.rendered)} |`,
    `| bare, rows alone | ${ratio(bare.rows)} |`,
    '',
    ...(beside ? besideLines(beside) : []),
  ]
}

function besideLines({ messages, waiting }: BesideImport): string[] {
  const isMissed = waiting.some(({ beside }) => beside.maxMs > WAITING_GOAL_MS)
  return [
    `While an import writes ${whole(messages)} messages into an organization of a thousand people, others send and register. The aim is that nobody waits for more than ${WAITING_GOAL_MS} ms${isMissed ? ', which was missed here' : ''}.`,
    'Times of the clock, in ms: median / 99th percentile / longest.',
    '',
    '| | requests | during an import | without one | ratio of the medians |',
    '|---|--:|--:|--:|--:|',
    ...waiting.map(({ what, alone, beside }) => {
      const times = ({ medianMs, p99Ms, maxMs }: typeof alone) =>
        [medianMs, p99Ms, maxMs].map((time) => time.toFixed(0)).join(' / ')
      return `| ${what} | ${whole(beside.count)} | ${times(beside)} | ${times(alone)} | ${two(beside.medianMs / alone.medianMs)} |`
    }),
    '',
  ]
}

/** Returns a section, or nothing if it was never measured. */
function part<Of>(name: string, lines: (kept: Kept<Of>) => string[]): string[] {
  const found = kept<Kept<Of>>(name)
  return found ? lines(found) : []
}

function kept<Of extends object>(name: string): Of | undefined {
  const file = join(PROJECT, 'bench/measured', `${name}.json`)
  return existsSync(file) ? fromJson<Of>(readFileSync(file, 'utf8')) : undefined
}

function registerLines(all: readonly RegistersResults[]): string[] {
  const [first] = all
  if (!first) return []
  return [
    '### A full registration',
    '',
    '`npm run bench -- --registers`: processor time of Worker and object in ms, and rows of the object read / written. A bare Worker asks an object for a row and sends as many',
    'bytes; each of the next does one thing more. These and *known* are the median of nine rounds of forty requests, the others the shortest of some single requests.',
    '',
    `| its blocks are | ${all.map(({ users, bytes }) => `${whole(users)} people, ${(bytes / 1e6).toFixed(1)} MB`).join(' | ')} |`,
    `|---|${all.map(() => '--:').join('|')}|`,
    ...first.costs.map(({ name }) => {
      const cells = all.map(({ costs }) => {
        const { processorMs, rows } = costs.find((one) => one.name === name)!
        return name.startsWith('bare')
          ? `${two(processorMs)} ms`
          : `${two(processorMs)} ms, ${whole(rows.read)} / ${whole(rows.written)}`
      })
      return `| ${name} | ${cells.join(' | ')} |`
    }),
    '',
    'These figures are of before [sections](architecture.md#snapshots-from-sections). Since then, on a slower machine, with 10,000 people and 100 channels: *known* takes 1.2 to 2',
    'times the bare Worker’s time; *not known to the isolate* 21 ms; *known to nobody* 515; *known, the object wakes* 239, once, in turns.',
    '',
  ]
}

function throughputLines({ throughput, listening }: Kept<Results>): string[] {
  const [insert, withBody] = throughput
  const controlOf = (name: string) => {
    if (name.startsWith('bare')) return ['', '']
    const { processorMs } = throughput.find((one) => one.name === name)!
    const bodies = throughput.find((one) => one.name.includes('100 bodies'))!
    if (name.startsWith('fetch')) return ['', two(bodies.processorMs / processorMs)]
    if (!name.startsWith('send')) return ['', '']
    return [two(insert!.processorMs / processorMs), two(withBody!.processorMs / processorMs)]
  }
  return [
    '### A request',
    '',
    'The controls of a send are a bare object that inserts a row, and one that also writes the text and a search entry into D1. The control of a page is a',
    'bare Worker that reads the same hundred texts.',
    '',
    '| | processor, ms | ratio to a bare insert | ratio to the control that does the same in D1 |',
    '|---|--:|--:|--:|',
    ...throughput
      .filter(({ ladder }) => !ladder)
      .map(({ name, processorMs }) => `| ${name} | ${two(processorMs)} | ${controlOf(name).join(' | ')} |`),
    '',
    ...LADDERS.flatMap((name) => ladderLines(ladderOf(throughput, name))),
    '### A message while all members listen',
    '',
    'The time of a send includes its deliveries to all listeners, and their next polls. The control’s sends check nothing, render nothing, and write neither event nor text;',
    'a poll that is not back when a row is written misses the message. Parley delivers every message to everybody, in rounds at least 50 ms apart (with a hundred polls 100 ms).',
    'The last two columns say what part of the messages a listener heard.',
    '',
    '| members, by | senders | control, ms | Parley, ms | ratio | heard, control | heard, Parley |',
    '|---|--:|--:|--:|--:|--:|--:|',
    ...listening
      .filter(({ name }) => name.startsWith('Parley'))
      .map(({ name, members, senders, processorMs, processorRatio, heard }) => {
        const way = name.slice('Parley, '.length)
        const control = listening.find(
          (one) => one.name === `bare, ${way}` && one.members === members && one.senders === senders,
        )
        return `| ${members}, ${way} | ${senders} | ${two(processorMs * processorRatio)} | ${two(processorMs)} | ${two(processorRatio)} | ${percent(control?.heard)} | ${percent(heard)} |`
      }),
    '',
  ]
}

/** Empty where it was not measured. */
function percent(part: number | undefined): string {
  return part === undefined ? '' : `${(part * 100).toFixed(0)} %`
}

/** Returns the section about a ladder; empty if it was never measured. */
function ladderLines(ladder: MeasuredLadder | undefined): string[] {
  if (!ladder) return []
  const { rungs, parley } = ladder
  return [
    `### The work of any server: ${parley.name}`,
    '',
    `The bare platform (\`bench/bare/obliged.ts\`): each row does the work of the rows above it and one thing more, in the simplest way, with nobody listening.${rungs.at(-1)!.name === SHARES_TURNS ? ' In all but the last each change is committed on its own.' : ''}`,
    '',
    '| | processor, ms | part of Parley’s time |',
    '|---|--:|--:|',
    ...rungs.map(
      ({ name, processorMs }) =>
        `| ${name} | ${two(processorMs)} | ${two(processorMs / parley.processorMs)} |`,
    ),
    `| Parley: ${parley.name} | ${two(parley.processorMs)} |  |`,
    '',
  ]
}

function deliveryLines(rows: readonly Delivery[]): string[] {
  const bareOf = ({ way, listeners }: Delivery) =>
    rows.find((one) => one.way === `bare, ${way}` && one.listeners === listeners)
  return [
    '### One message to thousands',
    '',
    '`npm run bench -- --delivery`: ms until the first, the median and the last listener have the message; and, with five messages a second, until the last',
    'listener has one, at the beginning and at the end. The processor time includes the listeners’ work.',
    '',
    '| listeners, by | first | median | last | last, five a second, at the beginning | at the end | processor, ms | ratio to the control |',
    '|---|--:|--:|--:|--:|--:|--:|--:|',
    ...rows.map((one) => {
      const bare = bareOf(one)
      const times = [one.first, one.median, one.last, one.steadyBegin, one.steadyEnd].map((ms) =>
        ms === undefined ? '' : whole(ms),
      )
      const ratio = bare ? two(bare.processorMs / one.processorMs) : ''
      return `| ${whole(one.listeners)}, ${one.way} | ${times.join(' | ')} | ${whole(one.processorMs)} | ${ratio} |`
    }),
    '',
  ]
}

function largeLines(all: readonly LargeResults[]): string[] {
  const [first] = all
  if (!first) return []
  const names = new Set(all.flatMap(({ operations }) => operations.map(({ name }) => name)))
  const row = (name: string, value: (one: LargeResults) => string) =>
    `| ${name} | ${all.map(value).join(' | ')} |`
  return [
    '### Large organizations',
    '',
    '`npm run bench -- --large`: processor time in ms; rows of the object read / written; and the longest time, by the clock, of another user’s message',
    'meanwhile, each of which is included and writes 7 rows. The long topic has a seventh of all messages.',
    '',
    `| | ${all.map(({ size }) => `${whole(size.users)} people, ${whole(size.messages)} messages`).join(' | ')} |`,
    `|---|${all.map(() => '--:').join('|')}|`,
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
    ...Object.keys(first.heap.requests).map((name) =>
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
    '',
  ]
}

function idleLines({ clients, rounds, polls, heartbeats, rows, processorMs }: Idle): string[] {
  const hour = (count: number) => whole((count * ROUNDS_OF_AN_HOUR) / rounds)
  return [
    `### ${whole(clients)} idle clients for an hour`,
    '',
    `\`npm run bench -- --idle --rounds ${ROUNDS_OF_AN_HOUR}\`: ${ROUNDS_OF_AN_HOUR} polls of each client.${
      rounds === ROUNDS_OF_AN_HOUR ? '' : ` ${rounds} were measured, and the figures are extrapolated.`
    }`,
    '',
    '| | an hour |',
    '|---|--:|',
    `| requests to the Worker, and calls from it to the object | ${hour(polls)} |`,
    `| messages over sockets, for which the object wakes | ${hour(heartbeats)} |`,
    `| rows read | ${hour(rows.read)} |`,
    `| rows written | ${hour(rows.written)} |`,
    `| processor time of Worker and object, s | ${hour(processorMs / 1_000)} |`,
    `| GB-s that the object is awake, at most: these messages leave it hardly any sleep | ${GB_SECONDS_OF_AN_HOUR} |`,
    '',
  ]
}

function pageLines(all: readonly PageResults[]): string[] {
  const row = (
    name: string,
    goal: (one: PageResults) => number | undefined,
    of: (one: PageResults) => Spread,
  ) =>
    `| ${name} | ${all
      .map((one) => {
        const { median, worst } = of(one)
        return `${whole(median)}, ${whole(worst)} | ${goal(one) ?? ''}`
      })
      .join(' | ')} |`
  const goalOf = (name: keyof PageGoals) => (one: PageResults) => one.goals[name]
  const heaps = all.map(
    ({ name, heap }) => `with ${name} ${heap.map((bytes) => megabytes(bytes)).join(', ')}`,
  )
  return [
    '### The page',
    '',
    '`npm run bench -- --page`, in headless Chromium on the same two cores as the server: median and worst time in ms by the clock, and the goal for a free machine.',
    `Programs that wanted a core while it ran: ${all.map(({ load, name }) => `${load.toFixed(0)} (${name})`).join(', ')}.`,
    '',
    `| | ${all.map(({ name }) => `${name} | goal`).join(' | ')} |`,
    `|---|${all.map(() => '--:|--:').join('|')}|`,
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
    `| the longest frame while messages are scrolled | ${all
      .map(
        ({ scroll }) => `${whole(scroll.worstFrame)} (${whole(scroll.messages)} messages) | ${FRAME_GOAL_MS}`,
      )
      .join(' | ')} |`,
    '',
    `The page’s heap after a collection, in MB, at first and after each minute of five messages a second: ${heaps.join('; ')}.`,
    '',
  ]
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
