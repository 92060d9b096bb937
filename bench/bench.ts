/**
 * `npm run bench`: measures Parley and, in the same run, the bare platform for comparison. It prints tables and writes bench/results; with
 * --keep also bench/measured, from which `npm run performance` makes its tables. `npm run bench -- --help` lists the other measurements.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { fromJson } from '../scripts/json.ts'
import { type LocalServer, type LocalServerOptions, startLocalServer } from '../scripts/local-server.ts'
import { exitWithError, PROJECT } from '../scripts/project.ts'
import type { SeedSize } from '../scripts/seed-organization.ts'
import { OVERLONG } from '../src/engine/readings.ts'
import { startBare } from './bare/start-bare.ts'
import { measureBeside, printBeside } from './beside-import.ts'
import { profileBusyPolls, profilePages, profileSends, profileStreams } from './busy-polls.ts'
import { measureBystanders } from './bystanders.ts'
import { countOperations } from './counted-rows.ts'
import { type Delivery, measureDelivery } from './delivery.ts'
import { bareFanOut, type FanOut, parleyFanOut } from './fan-out.ts'
import { type HostileRow, measureHostile } from './hostile.ts'
import { printHostile } from './hostile-report.ts'
import { largeScene, smallScene } from './hostile-scene.ts'
import { IDLE_HOLD_SECONDS, measureIdle } from './idle.ts'
import { measureReading, measureWriting, printReading, printWriting } from './imports.ts'
import { prepareLadders } from './ladder.ts'
import { buildAndWeigh, type LargeResults, measureLarge } from './large.ts'
import { measureListening } from './listening.ts'
import { measureMarkdown } from './markdown-cost.ts'
import { type BenchOrganization, buildBenchOrganization } from './organization.ts'
import { measureOrganizations } from './organizations.ts'
import { measurePage } from './page.ts'
import { startInParts } from './parts.ts'
import { measureHerdHeap, measureRegisters, type RegistersResults } from './registers.ts'
import {
  type FanOutRow,
  printDelivery,
  printGrowth,
  printIdle,
  printLarge,
  printOrganizations,
  printPage,
  printProfile,
  printRegisters,
  printResults,
  type Results,
} from './report.ts'
import { measureStartUp } from './start-up.ts'
import { ms, table } from './tables.ts'
import { LINE, measureLatency, measureThroughput, subjects } from './throughput.ts'
import { measureWorkerTime, type TimesAtSize } from './worker-time.ts'

const USAGE = `npm run bench: Parley compared with the bare platform; --keep keeps the figures for npm run performance. Instead of all that:

  --profile   where the processor's time goes while polls are busy, while many write, and while many read
  --hostile   what one hostile account can do to others; with --cases, a list of parts of their names, and --users, --channels, --messages
  --page      how long the page keeps a reader waiting, in Chromium; with --users, --channels, --messages, --minutes
  --large     what operations and memory cost in large organizations; with --users, --channels, --messages, each a list
  --delivery  when the last of thousands of listeners has a message; with --listeners, a list, and --ways
  --registers what full registrations cost, one and many at once; with --users, --channels, --herds, each a list
  --worker-time  the processor time of the Worker alone, of each operation; with --users, a list
  --idle      what idle clients cost; with --clients, --rounds
  --import    what reading the archives of other programs costs, and writing them, and what others wait for meanwhile; with
              --messages and --formats, each a list, --written, --beside, and --reading for the first alone
  --organizations  many organizations in one deployment (1000): their first requests, and their cost when idle and next to a busy one`

/** The time after the start at which no further round of sends and pages begins, so a busy machine does fewer rounds. */
const ROUNDS_END_MS = 140_000
const MANY_ORGANIZATIONS = 1_000
const RESULTS = join(PROJECT, 'bench/results')
const MEASURED = join(PROJECT, 'bench/measured')

async function main(): Promise<void> {
  if (process.argv.includes('--help')) return console.log(USAGE)
  if (process.argv.includes('--profile')) return runProfile()
  if (process.argv.includes('--hostile')) return runHostile()
  if (process.argv.includes('--large')) return runLarge()
  if (process.argv.includes('--delivery')) return runDelivery()
  if (process.argv.includes('--registers')) return runRegisters()
  if (process.argv.includes('--idle')) return runIdle()
  if (process.argv.includes('--page')) return runPage()
  if (process.argv.includes('--organizations')) return runOrganizations()
  if (process.argv.includes('--import')) return runImport()
  if (process.argv.includes('--worker-time')) return runWorkerTime()
  // Otherwise a misspelled option would start minutes of measurements.
  parseArgs({ options: { keep: { type: 'boolean' } } })
  const began = performance.now()
  const startUp = await step('start-up', measureStartUp)
  const markdown = await step('Markdown', measureMarkdown)
  const server = await startLocalServer({ vars: { RATE_LIMITS: 'off', LOG: 'off' } })
  const bare = await startBare()
  try {
    const organization = await step('a thousand people', () => buildBenchOrganization(server))
    // This part comes first, while the log is short and before any load.
    const rows = await step('rows', () => countOperations(organization))
    const listening = await step('listening', () => measureListening(bare, organization, server.runtimePid()))
    await prepareLadders(bare, organization.speaker.authorization, LINE)
    const all = subjects(bare, organization, server.runtimePid())
    const throughput = await step('throughput', () => measureThroughput(all, began + ROUNDS_END_MS))
    // Later parts may fail on a busy machine: the local runtime resets connections that wait for too long.
    writeResults('throughput', { throughput, listening })
    const latency = await step('latency', () => measureLatency(all))
    const fanOut = await step('fan-out', () => measureFanOut(bare.url, organization))
    const bystanders = await step('bystanders', () => measureBystanders(organization))
    const results: Results = {
      machine: {
        cpu: cpus()[0]?.model ?? 'unknown',
        cores: availableParallelism(),
        node: process.version,
        system: `${process.platform} ${process.arch}`,
      },
      seconds: (performance.now() - began) / 1_000,
      throughput,
      latency,
      fanOut,
      listening,
      bystanders,
      rows,
      markdown,
      startUp,
    }
    writeResults('throughput', results)
    printResults(results)
  } finally {
    await bare.stop()
    await server.stop()
  }
}

async function runProfile(): Promise<void> {
  const { busyPolls, streams, sends, pages } = await withServer({}, async (server) => {
    const organization = await step('a thousand people', () => buildBenchOrganization(server))
    const busyPolls = await step('busy polls', () => profileBusyPolls(server, organization))
    const streams = await step('streams', () => profileStreams(server, organization))
    const sends = await step('sends', () => profileSends(server, organization))
    return { busyPolls, streams, sends, pages: await step('pages', () => profilePages(server, organization)) }
  })
  writeResults('profile', { busyPolls, streams, sends, pages })
  printProfile('A hundred listen by polls, one writes', busyPolls)
  printProfile('Ten listen by streams, one writes', streams)
  printProfile('Sixteen write, nobody listens', sends)
  printProfile('Sixteen read pages of a hundred', pages)
}

async function runHostile(): Promise<void> {
  // Together they take minutes.
  const note = (row: HostileRow) => process.stderr.write(`${JSON.stringify(row)}\n`)
  const { values } = parseArgs({
    options: {
      hostile: { type: 'boolean' },
      cases: { type: 'string' },
      users: { type: 'string' },
      channels: { type: 'string', default: '5000' },
      messages: { type: 'string', default: '1000000' },
    },
  })
  const only = values.cases?.split(',')
  const { users, channels, messages } = values
  const size = users && { users: Number(users), channels: Number(channels), messages: Number(messages) }
  const server = await startInParts({ RATE_LIMITS: 'off', LOG: 'troubles' })
  try {
    const scene = await step('an organization', () => (size ? largeScene(server, size) : smallScene(server)))
    const results = await step('a hostile member', () => measureHostile(server, scene, note, only))
    writeResults('hostile', { hostile: results })
    printHostile(results)
    const overlong = server.logged.filter((line) => line.includes(OVERLONG))
    if (overlong.length > 0) throw new Error(`Other callers had to wait for readers:\n${overlong.join('\n')}`)
  } finally {
    await server.stop()
  }
}

/** Measures the Worker alone, at each size on a server of its own. */
async function runWorkerTime(): Promise<void> {
  const { values } = parseArgs({
    options: {
      'worker-time': { type: 'boolean' },
      keep: { type: 'boolean' },
      users: { type: 'string', default: '25,250' },
    },
  })
  const results: TimesAtSize[] = []
  for (const users of numbersIn(values.users)) {
    const server = await startInParts({ RATE_LIMITS: 'off', LOG: 'off' })
    try {
      results.push({ users, times: await step(`${users} people`, () => measureWorkerTime(server, users)) })
    } finally {
      await server.stop()
    }
  }
  writeResults('worker-time', { results })
  table(
    'Processor time of the Worker, ms; of the first request in parentheses',
    ['', ...results.map(({ users }) => `${users} people`)],
    results[0]!.times.map(({ name }, at) => [
      name,
      ...results.map(({ times }) => `${ms(times[at]!.ms)} (${ms(times[at]!.firstMs)})`),
    ]),
  )
}

/** Measures the organizations one by one, each on a server of its own. */
async function runLarge(): Promise<void> {
  const { values } = parseArgs({
    options: {
      large: { type: 'boolean' },
      keep: { type: 'boolean' },
      users: { type: 'string', default: '1000,10000,10000,50000' },
      channels: { type: 'string', default: '100,500' },
      messages: { type: 'string', default: '10000,100000,1000000,10000' },
    },
  })
  const [users, channels, messages] = [values.users, values.channels, values.messages].map(numbersIn) as [
    number[],
    number[],
    number[],
  ]
  const sizes = users.map((count, at) => ({
    users: count,
    channels: channels[at] ?? channels.at(-1)!,
    messages: messages[at] ?? messages.at(-1)!,
  }))
  const results: LargeResults[] = []
  for (const size of sizes) {
    const named = `${size.users} people, ${size.channels} channels, ${size.messages} messages`
    const large = await step(named, () => measureOne(size))
    results.push(large)
    // The following parts may take long.
    writeResults('large', { large: results })
    printLarge(large)
  }
  printGrowth(results)
}

/** Makes an organization, measures the memory of its object and of the Worker, and the rest after a restart of the server. */
async function measureOne(size: SeedSize): Promise<LargeResults> {
  const stateDir = mkdtempSync(join(tmpdir(), 'parley-'))
  try {
    const options = { stateDir, apart: true }
    const built = await withServer({}, (server) => buildAndWeigh(server, size), options)
    return await withServer({}, (server) => measureLarge(server, size, built), options)
  } finally {
    rmSync(stateDir, { recursive: true, force: true })
  }
}

async function runRegisters(): Promise<void> {
  const { values } = parseArgs({
    options: {
      registers: { type: 'boolean' },
      keep: { type: 'boolean' },
      users: { type: 'string', default: '1000,10000' },
      channels: { type: 'string', default: '100,500' },
      herds: { type: 'string', default: '50,200,1000' },
    },
  })
  const [users, channels] = [numbersIn(values.users), numbersIn(values.channels)]
  const registers: RegistersResults[] = []
  for (const [at, count] of users.entries()) {
    const size = { users: count, channels: channels[at] ?? channels.at(-1)! }
    const herds = numbersIn(values.herds)
    const measure = (server: LocalServer) => measureRegisters(server, size, herds)
    const results = await withServer({}, (server) => step(`${count} people`, () => measure(server)))
    const largest = Math.max(...results.herds.map(({ parley }) => parley.at))
    const weigh = (server: LocalServer) => measureHerdHeap(server, size, largest)
    const herdHeap = await withServer({}, (server) => step('memory', () => weigh(server)), { apart: true })
    registers.push({ ...results, herdHeap })
    writeResults('registers', { registers })
  }
  printRegisters(registers)
}

async function runDelivery(): Promise<void> {
  const { values } = parseArgs({
    options: {
      delivery: { type: 'boolean' },
      keep: { type: 'boolean' },
      listeners: { type: 'string', default: '1000,2000,10000' },
      ways: { type: 'string', default: 'streams,polls' },
    },
  })
  const delivery: Delivery[] = []
  const ways = values.ways.split(',') as ('streams' | 'polls')[]
  const report = (row: Delivery) => {
    delivery.push(row)
    writeResults('delivery', { delivery })
    process.stderr.write(`${JSON.stringify(row)}\n`)
  }
  await step('delivery', () => measureDelivery(numbersIn(values.listeners), ways, report))
  printDelivery(delivery)
}

async function runOrganizations(): Promise<void> {
  const given = process.argv[process.argv.indexOf('--organizations') + 1]
  const count = given === undefined ? MANY_ORGANIZATIONS : Number(given)
  if (!Number.isInteger(count) || count < 2) throw new Error('--organizations takes a number of at least 2')
  const organizations = await step(`${count} organizations`, () => measureOrganizations(count))
  writeResults('organizations', { organizations })
  printOrganizations(organizations)
}

async function runImport(): Promise<void> {
  const { values } = parseArgs({
    options: {
      import: { type: 'boolean' },
      keep: { type: 'boolean' },
      messages: { type: 'string', default: '100000' },
      written: { type: 'string', default: '5000' },
      beside: { type: 'string', default: '10000' },
      formats: { type: 'string', default: '' },
      reading: { type: 'boolean' },
    },
  })
  const formats = values.formats.split(',').filter((name) => name !== '')
  const reading = await step('reading', () => measureReading(numbersIn(values.messages), formats))
  printReading(reading)
  if (values.reading) {
    // The other figures stay as they were kept.
    const kept = readFileSync(join(MEASURED, 'import.json'), 'utf8')
    return writeResults('import', { ...fromJson<object>(kept), reading })
  }
  const bare = await startBare()
  const writing = await withServer({}, (server) =>
    step('writing', () => measureWriting(server, bare, Number(values.written))),
  ).finally(() => bare.stop())
  printWriting(writing)
  const beside = await withServer({}, async (server) => {
    const organization = await step('a thousand people', () => buildBenchOrganization(server))
    return step('others meanwhile', () => measureBeside(organization, Number(values.beside)))
  })
  writeResults('import', { reading, writing, beside })
  printBeside(beside)
}

async function runIdle(): Promise<void> {
  const { values } = parseArgs({
    options: {
      idle: { type: 'boolean' },
      keep: { type: 'boolean' },
      clients: { type: 'string', default: '1000' },
      rounds: { type: 'string', default: '3' },
    },
  })
  const [clients, rounds] = [Number(values.clients), Number(values.rounds)]
  const idle = await withServer({ POLL_HOLD_SECONDS: String(IDLE_HOLD_SECONDS) }, (server) =>
    step('idle clients', () => measureIdle(server, clients, rounds)),
  )
  writeResults('idle', { idle })
  printIdle(idle)
}

function numbersIn(list: string): number[] {
  return list.split(',').map(Number)
}

async function withServer<Result>(
  vars: Record<string, string>,
  work: (server: LocalServer) => Promise<Result>,
  options: Pick<LocalServerOptions, 'stateDir' | 'apart'> = {},
): Promise<Result> {
  const server = await startLocalServer({
    vars: { RATE_LIMITS: 'off', LOG: 'off', ...vars },
    inspector: true,
    ...options,
  })
  try {
    return await work(server)
  } finally {
    await server.stop()
  }
}

async function runPage(): Promise<void> {
  const { values } = parseArgs({
    options: {
      page: { type: 'boolean' },
      keep: { type: 'boolean' },
      users: { type: 'string', default: '10000' },
      channels: { type: 'string', default: '500' },
      messages: { type: 'string', default: '200000' },
      minutes: { type: 'string', default: '10' },
    },
  })
  const size = {
    users: Number(values.users),
    channels: Number(values.channels),
    messages: Number(values.messages),
  }
  const page = await step('the page', () =>
    measurePage(size, Number(values.minutes), (results) => writeResults('page', { page: results })),
  )
  printPage(page)
}

async function measureFanOut(bareUrl: string, organization: BenchOrganization): Promise<FanOutRow[]> {
  const rows: FanOutRow[] = []
  for (const polls of [100, 1000] as const) {
    const measured: [string, FanOut][] = [
      ['bare: held over a call', await bareFanOut(bareUrl, polls, 'call')],
      ['bare: held over a socket', await bareFanOut(bareUrl, polls, 'socket')],
      ['Parley: a message', await parleyFanOut(organization, polls)],
    ]
    const best = Math.min(measured[0]![1].last, measured[1]![1].last)
    rows.push(...measured.map(([name, times]) => ({ name, polls, ...times, ratio: times.last / best })))
  }
  return rows
}

/** Writes the results of a part under its name, and as the latest. */
function writeResults(name: string, results: object): void {
  const text = `${JSON.stringify({ at: new Date().toISOString(), ...results }, null, 2)}\n`
  mkdirSync(RESULTS, { recursive: true })
  for (const file of [name, 'latest']) writeFileSync(join(RESULTS, `${file}.json`), text)
  if (process.argv.includes('--keep')) writeFileSync(join(MEASURED, `${name}.json`), text)
}

async function step<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const began = performance.now()
  process.stderr.write(`${name} … `)
  const result = await work()
  process.stderr.write(`${((performance.now() - began) / 1_000).toFixed(1)} s\n`)
  return result
}

if (import.meta.main) await main().catch(exitWithError)
