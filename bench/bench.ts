/**
 * `npm run bench`: what Parley reaches on this machine, each figure beside what the platform reaches with
 * nothing on it, in the same run. Prints tables and writes bench/results/latest.json.
 *
 *   --profile   where the processor's time goes while polls are busy, instead
 *   --hostile   what one account that means harm can do to others, instead
 *   --page      how long the page keeps a reader waiting, in Chromium, instead; with --users, --channels, --messages, --minutes
 *   --large     what operations and memory cost in a large organization, instead; with --users, --channels, --messages
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { startLocalServer } from '../scripts/local-server.ts'
import { exitWithError, PROJECT } from '../scripts/project.ts'
import { startBare } from './bare/start-bare.ts'
import { profileBusyPolls } from './busy-polls.ts'
import { measureBystanders } from './bystanders.ts'
import { countOperations } from './counted-rows.ts'
import { bareFanOut, type FanOut, parleyFanOut } from './fan-out.ts'
import { measureHostile } from './hostile.ts'
import { measureLarge } from './large.ts'
import { measureListening } from './listening.ts'
import { measureMarkdown } from './markdown-cost.ts'
import { type BenchOrganization, buildBenchOrganization } from './organization.ts'
import { measurePage } from './page.ts'
import {
  type FanOutRow,
  printHostile,
  printLarge,
  printPage,
  printProfile,
  printResults,
  type Results,
} from './report.ts'
import { measureStartUp } from './start-up.ts'
import { measureLatency, measureThroughput, subjects } from './throughput.ts'

/** On a busy machine the last part is shortened, so that the whole stays below 90 s. */
const ROUNDS_END_MS = 70_000
const RESULTS = join(PROJECT, 'bench/results/latest.json')

async function main(): Promise<void> {
  if (process.argv.includes('--profile')) return runProfile()
  if (process.argv.includes('--hostile')) return runHostile()
  if (process.argv.includes('--large')) return runLarge()
  if (process.argv.includes('--page')) return runPage()
  const began = performance.now()
  const startUp = await step('start-up', measureStartUp)
  const markdown = await step('Markdown', measureMarkdown)
  const server = await startLocalServer({ vars: { RATE_LIMITS: 'off' } })
  const bare = await startBare()
  try {
    const organization = await step('a thousand people', () => buildBenchOrganization(server))
    // First, while the log is short and no load has gone before.
    const rows = await step('rows', () => countOperations(organization))
    const fanOut = await step('fan-out', () => measureFanOut(bare.url, organization))
    const listening = await step('listening', () => measureListening(bare.url, organization))
    const bystanders = await step('bystanders', () => measureBystanders(organization))
    const all = subjects(bare.url, organization)
    const latency = await step('latency', () => measureLatency(all))
    const throughput = await step('throughput', () => measureThroughput(all, began + ROUNDS_END_MS))
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
    writeResults(results)
    printResults(results)
  } finally {
    await bare.stop()
    await server.stop()
  }
}

async function runProfile(): Promise<void> {
  const server = await startLocalServer({ vars: { RATE_LIMITS: 'off', LOG: 'off' }, inspector: true })
  try {
    const organization = await step('a thousand people', () => buildBenchOrganization(server))
    const busyPolls = await step('busy polls', () => profileBusyPolls(server, organization))
    writeResults({ busyPolls })
    printProfile(busyPolls)
  } finally {
    await server.stop()
  }
}

async function runHostile(): Promise<void> {
  const server = await startLocalServer({ vars: { RATE_LIMITS: 'off', LOG: 'off' }, inspector: true })
  try {
    const rows = await step('a hostile member', () => measureHostile(server))
    writeResults({ hostile: rows })
    printHostile(rows)
  } finally {
    await server.stop()
  }
}

async function runLarge(): Promise<void> {
  const { values } = parseArgs({
    options: {
      large: { type: 'boolean' },
      users: { type: 'string', default: '3000' },
      channels: { type: 'string', default: '600' },
      messages: { type: 'string', default: '200000' },
    },
  })
  const [users, channels, messages] = [values.users, values.channels, values.messages].map(Number) as [
    number,
    number,
    number,
  ]
  const server = await startLocalServer({ vars: { RATE_LIMITS: 'off', LOG: 'off' }, inspector: true })
  try {
    const large = await step('a large organization', () =>
      measureLarge(server, { users, channels, messages }),
    )
    writeResults({ large })
    printLarge(large)
  } finally {
    await server.stop()
  }
}

async function runPage(): Promise<void> {
  const { values } = parseArgs({
    options: {
      page: { type: 'boolean' },
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
  const page = await step('the page', () => measurePage(size, Number(values.minutes)))
  mkdirSync(dirname(RESULTS), { recursive: true })
  writeFileSync(RESULTS, `${JSON.stringify({ at: new Date().toISOString(), page }, null, 2)}\n`)
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

function writeResults(results: object): void {
  mkdirSync(dirname(RESULTS), { recursive: true })
  writeFileSync(RESULTS, `${JSON.stringify({ at: new Date().toISOString(), ...results }, null, 2)}\n`)
}

async function step<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const began = performance.now()
  process.stderr.write(`${name} … `)
  const result = await work()
  process.stderr.write(`${((performance.now() - began) / 1_000).toFixed(1)} s\n`)
  return result
}

if (import.meta.main) await main().catch(exitWithError)
