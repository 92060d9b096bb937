/**
 * `npm run bench -- --organizations 1000`: measures many organizations in one deployment: the first request of each after a start, their cost
 * while idle, and whether a busy one slows down the others. The same run measures the same number of bare objects. Worker
 * and all objects share one thread here; on the platform they do not.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeFields } from '../scripts/api-client.ts'
import { fromJson } from '../scripts/json.ts'
import { startLocalServer } from '../scripts/local-server.ts'
import { readAnswer } from '../scripts/organizations.ts'
import { type SeededOwner, seedOrganizations } from '../scripts/seed-organizations.ts'
import { type RequestRows, ROWS_HEADER } from '../src/dev/count-rows.ts'
import { type BareServer, startBare } from './bare/start-bare.ts'
import { type Ask, Connections, type Latencies, pace, saturate } from './http-load.ts'
import { startIsolateHeap } from './isolate-heap.ts'
import { processorMs } from './processor-time.ts'

interface Spread {
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/** Results of one kind of server, in ms. */
export interface ManyObjects {
  /** The first requests of all organizations after a start, in sequence, and the second ones. */
  readonly first: Spread
  readonly second: Spread
  /** Processor time of one such request, on average. */
  readonly firstWork: number
  readonly secondWork: number
  /** Processor time in `idleSeconds` without a request. */
  readonly idleMs: number
  /** Requests to all organizations but one, in turn: while that one is quiet, and while it is busy. */
  readonly quiet: Latencies
  readonly besideBusy: Latencies
}

export interface OrganizationsResults {
  readonly organizations: number
  readonly idleSeconds: number
  readonly seedSeconds: number
  readonly parley: ManyObjects
  readonly bare: ManyObjects
  /** Rows of D1 that the first and the second requests of all organizations read together. */
  readonly d1Read: { readonly first: number; readonly second: number }
  /** The bytes of the isolate after a collection: before the first request, and after a request to each organization. */
  readonly heapBytes: { readonly before: number; readonly after: number }
}

const IDLE_SECONDS = 10
/** The rate of quiet requests (a second), and their duration in seconds. */
const QUIET_RATE = 50
const QUIET_SECONDS = 10
const BUSY_LANES = 4
/** The milliseconds in which the changes of the last requests are stored. */
const SETTLE_MS = 2_000

export async function measureOrganizations(count: number): Promise<OrganizationsResults> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-many-'))
  try {
    const { owners, seconds } = await seed(join(folder, 'parley'), count)
    process.stderr.write('seeded … ')
    const bare = await measureBare(join(folder, 'bare'), count)
    process.stderr.write('bare … ')
    return {
      organizations: count,
      idleSeconds: IDLE_SECONDS,
      seedSeconds: seconds,
      bare,
      ...(await measureParley(join(folder, 'parley'), owners)),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const VARS = { RATE_LIMITS: 'off', LOG: 'off' }

async function seed(stateDir: string, count: number): Promise<{ owners: SeededOwner[]; seconds: number }> {
  const server = await startLocalServer({ stateDir, vars: VARS })
  try {
    const began = performance.now()
    const post = async (body: object) =>
      readAnswer(
        await fetch(`${server.url}/dev/organizations`, { method: 'POST', body: JSON.stringify(body) }),
      )
    const owner = { email: 'owner@example.com', full_name: 'Olive Owner', password: 'measured words' }
    const owners = await seedOrganizations(post, count, 'many.localhost', owner)
    await pause(SETTLE_MS)
    return { owners, seconds: (performance.now() - began) / 1_000 }
  } finally {
    await server.stop()
  }
}

async function measureParley(stateDir: string, owners: readonly SeededOwner[]) {
  const server = await startLocalServer({ stateDir, vars: VARS, inspector: true })
  try {
    const heap = await startIsolateHeap(server)
    const before = await heap.used()
    const asks = owners.map(({ host, account }) => ({
      method: 'GET' as const,
      url: `${server.url}/api/v1/users/me`,
      headers: headersOf(host, account!),
    }))
    const counted = asks.map((ask) => ({ ...ask, headers: { ...ask.headers, [ROWS_HEADER]: 'count' } }))
    const [first, firstWork] = await workOf(server.runtimePid, () => askAll(counted))
    const [second, secondWork] = await workOf(server.runtimePid, () => askAll(counted))
    const after = await heap.used()
    heap.stop()
    const [busy, ...quiet] = owners as [SeededOwner, ...SeededOwner[]]
    const form = encodeFields({ type: 'direct', to: [busy.account!.user_id], content: 'busy, busy' })
    const send = { method: 'POST' as const, url: `${server.url}/api/v1/messages`, form }
    const parley = {
      first: first.spread,
      second: second.spread,
      firstWork: firstWork / owners.length,
      secondWork: secondWork / owners.length,
      ...(await measureLoad(
        asks.slice(1, 1 + quiet.length),
        { ...send, headers: headersOf(busy.host, busy.account!) },
        server.runtimePid,
      )),
    }
    const d1Read = { first: first.d1Read, second: second.d1Read }
    return { parley, d1Read, heapBytes: { before, after } }
  } finally {
    await server.stop()
  }
}

async function measureBare(folder: string, count: number): Promise<ManyObjects> {
  const withBare = async <R>(work: (bare: BareServer) => Promise<R>): Promise<R> => {
    const bare = await startBare([], folder)
    try {
      return await work(bare)
    } finally {
      await bare.stop()
    }
  }
  const asksOf = (url: string, path: string) =>
    Array.from({ length: count }, (_, at) => ({ method: 'GET' as const, url: `${url}/${path}?object=${at}` }))
  await withBare(({ url }) => askAll(asksOf(url, 'insert')))
  return withBare(async ({ url, pid }) => {
    const runtimePid = () => pid
    const asks = asksOf(url, 'newest')
    const [first, firstWork] = await workOf(runtimePid, () => askAll(asks))
    const [second, secondWork] = await workOf(runtimePid, () => askAll(asks))
    const busy = { method: 'POST' as const, url: `${url}/insert?object=0` }
    return {
      first: first.spread,
      second: second.spread,
      firstWork: firstWork / count,
      secondWork: secondWork / count,
      ...(await measureLoad(asks.slice(1), busy, runtimePid)),
    }
  })
}

async function measureLoad(
  quiet: readonly Ask[],
  busy: Ask,
  pid: () => number,
): Promise<Pick<ManyObjects, 'idleMs' | 'quiet' | 'besideBusy'>> {
  await pause(SETTLE_MS)
  const before = processorMs(pid())
  await pause(IDLE_SECONDS * 1_000)
  const idleMs = processorMs(pid()) - before
  let turn = 0
  const next = () => {
    turn += 1
    return quiet[turn % quiet.length]!
  }
  // Wakes objects that went to sleep during the pause, so that all are awake in both measurements.
  await askAll(quiet.slice(0, QUIET_RATE * QUIET_SECONDS + 1))
  turn = 0
  const alone = await pace(QUIET_RATE, QUIET_SECONDS, next)
  turn = 0
  const [besideBusy] = await Promise.all([
    pace(QUIET_RATE, QUIET_SECONDS, next),
    saturate(BUSY_LANES, QUIET_SECONDS, () => busy),
  ])
  return { idleMs, quiet: alone, besideBusy }
}

/** Does some work. Returns the runtime's processor time meanwhile too, in ms. */
async function workOf<R>(pid: () => number, work: () => Promise<R>): Promise<[R, number]> {
  const before = processorMs(pid())
  const done = await work()
  return [done, processorMs(pid()) - before]
}

/** One after the other. */
async function askAll(asks: readonly Ask[]): Promise<{ spread: Spread; d1Read: number }> {
  const connections = new Connections()
  const times: number[] = []
  let d1Read = 0
  for (const ask of asks) {
    const began = performance.now()
    const { headers } = await connections.ask(ask)
    times.push(performance.now() - began)
    const rows = headers[ROWS_HEADER]
    if (rows) d1Read += fromJson<RequestRows>(String(rows)).d1.read
  }
  connections.close()
  times.sort((a, b) => a - b)
  const at = (part: number) => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0
  return { spread: { p50: at(0.5), p99: at(0.99), max: times.at(-1) ?? 0 }, d1Read }
}

function headersOf(host: string, { email, api_key }: NonNullable<SeededOwner['account']>) {
  return { Host: host, Authorization: `Basic ${btoa(`${email}:${api_key}`)}` }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
