/**
 * `npm run bench -- --registers --users 10000,50000 --herds 50,200,1000`: measures full registrations whose blocks are cached in the isolate,
 * only in the object, or nowhere, and many registrations at once. A bare Worker that asks an object to
 * insert a row and sends as many bytes is measured along with each.
 */

import { Agent, type OutgoingHttpHeaders, request } from 'node:http'
import { type ApiClient, encodeFields } from '../scripts/api-client.ts'
import { fromJson } from '../scripts/json.ts'
import type { LocalServer } from '../scripts/local-server.ts'
import { seededEmail } from '../scripts/seed-organization.ts'
import type { RowCounts } from '../src/core/sql.ts'
import { type RequestRows, ROWS_HEADER } from '../src/dev/count-rows.ts'
import { type BareServer, startBare } from './bare/start-bare.ts'
import { type HeapBytes, startHeaps } from './isolate-heap.ts'
import { buildLarge } from './large.ts'
import { middle } from './middle.ts'
import { processorMs } from './processor-time.ts'
import { warmUp } from './warm-up.ts'

export interface RegisterCost {
  readonly name: string
  readonly ms: number
  /** Milliseconds of processor time of the server's process. */
  readonly processorMs: number
  /** Rows read and written by the object; zero for the bare platform, where none are counted. */
  readonly rows: RowCounts
}

export interface Herd {
  readonly at: number
  readonly answered: number
  /** Time until the last answer, in ms after all requests were sent. */
  readonly lastMs: number
  /** Milliseconds of processor time of the server's process for all requests together. */
  readonly processorMs: number
}

export interface RegistersResults {
  readonly users: number
  readonly channels: number
  readonly bytes: number
  readonly costs: readonly RegisterCost[]
  readonly herds: readonly { readonly parley: Herd; readonly bare: Herd }[]
  /** The largest herd again, with continuous garbage collection, which is slow; absent in older results. */
  readonly herdHeap?: HerdHeap
}

export interface HerdHeap {
  readonly at: number
  readonly answered: number
  /** The peak memory of each isolate, and its memory before: the program, and its caches. */
  readonly bytes: HeapBytes
  readonly before: HeapBytes
}

/** The number of measurements of single requests. The shortest time counts, since other work of the machine can only lengthen it. */
const TIMES = 8
/**
 * Rounds in which Parley with all blocks and the bare platform are measured in turn, and requests of each in a round. The median round counts:
 * the shortest of single requests was one in which V8 collected no garbage, and the ratio of two of those differed by half between runs.
 */
const ROUNDS = 9
const REQUESTS_OF_A_ROUND = 40
/** Requests in one step of the warm-up, of Parley and the bare platform alike. */
const WARM_UP_REQUESTS = 100
/** The limit in bytes of all answers to a herd. A larger herd is skipped. */
const MAX_HERD_BYTES = 6e9
const PEOPLE = 200
/** Bytes that the bare Worker sends at once. */
const BARE_CHUNK_BYTES = 32 * 1024
const BARE_WITH_VERSIONS = 'bare, and as many rows are read in the transaction that opens the queue'
/** The floor: the work of any server whose snapshot is kept in blocks. */
const BARE_IN_CHUNKS = 'bare, and a chunk for each row'
/** The floor of a server that also authenticates its callers and sends a personal part. */
export const BARE_WITH_CALLER =
  'bare, and the caller is found, with a personal part of as many rows and bytes'
/** The floor of a registration in an isolate that holds no block. */
export const BARE_WITHOUT_BLOCKS = 'bare, and its Worker holds none of the blocks'
/** The number of people in a block, and the keys whose values consist of blocks. */
const PEOPLE_OF_A_BLOCK = 128
const IN_BLOCKS = [
  'realm_users',
  'realm_non_active_users',
  'realm_user_groups',
  'user_status',
  'streams',
  'subscriptions',
  'never_subscribed',
  'unsubscribed',
]
/** Parameters of a full registration, as today's clients send them. */
const FIELDS = encodeFields({
  client_capabilities: {
    user_avatar_url_field_optional: true,
    user_settings_object: true,
    notification_settings_null: true,
  },
})

interface Asked {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers?: OutgoingHttpHeaders
  readonly form?: URLSearchParams
}

export async function measureRegisters(
  server: LocalServer,
  size: { readonly users: number; readonly channels: number },
  herds: readonly number[],
): Promise<RegistersResults> {
  const { owner, realmId } = await buildLarge(server, { ...size, messages: 1_000 })
  const people = await logInAll(owner, size.users)
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })
  const register = (at: number, more: OutgoingHttpHeaders = {}): Asked => {
    return registration(owner, { ...people[at % people.length], ...more })
  }
  const forget = () => fetch(`${owner.url}/dev/sections`, { method: 'DELETE' })
  const evict = () => server.evictRealm(realmId)
  const parleyPid = server.runtimePid()
  const once = async (name: string, asked: Asked, pid: number, times = 1, before = async () => {}) => {
    let best: RegisterCost & { bytes: number } = {
      name,
      ms: Number.POSITIVE_INFINITY,
      processorMs: Number.POSITIVE_INFINITY,
      rows: { read: 0, written: 0 },
      bytes: 0,
    }
    for (let time = 0; time < times; time += 1) {
      await before()
      await pause(100)
      const [spentBefore, began] = [processorMs(pid), performance.now()]
      const { bytes, headers } = await drain(agent, asked)
      const [spent, ms] = [processorMs(pid) - spentBefore, performance.now() - began]
      const counted = headers[ROWS_HEADER.toLowerCase()]
      const rows = counted === undefined ? best.rows : fromJson<RequestRows>(String(counted)).object
      best = { name, ms: Math.min(ms, best.ms), processorMs: Math.min(spent, best.processorMs), rows, bytes }
    }
    return best
  }
  const counted = { [ROWS_HEADER]: 'count' }
  const first = await once('known to nobody', register(0, counted), parleyPid)
  const { bytes } = first
  await warmUp(parleyPid, () => drainSeveral(agent, register))
  const { rows } = await once('known', register(0, counted), parleyPid)
  const woken = await once('known, the object wakes', register(0, counted), parleyPid, TIMES, async () => {
    await evict()
  })
  const cold = await once('not known to the isolate', register(0, counted), parleyPid, TIMES, async () => {
    await forget()
  })
  const coldest = await once(
    'nor in memory of the object',
    register(0, counted),
    parleyPid,
    TIMES,
    async () => {
      await forget()
      await evict()
    },
  )
  const bareServer = await startBare()
  try {
    const url = `${bareServer.url}/bytes?${encodeFields({ bytes })}`
    const bareAsked: Asked = { method: 'POST', url }
    const sizes = {
      bytes,
      rows: rows.read,
      personal: await personalBytes(register(0)),
      // People, their states and their groups; each channel and its subscribers.
      blocks: 3 * Math.ceil(size.users / PEOPLE_OF_A_BLOCK) + 2 * size.channels,
    }
    const rungs = await ladderOf(bareServer, sizes, people[0]!)
    const ofBare = [{ name: 'bare', asked: bareAsked }, ...rungs].map(({ name, asked }) => ({
      name,
      pid: bareServer.pid,
      make: () => asked,
      rows: { read: 0, written: 0 },
    }))
    // Each registration is by another person, since a single account would soon reach its quota of queues.
    const known = { name: 'known', pid: parleyPid, make: (at: number) => register(at), rows }
    const inTurn = await measureInTurn(agent, [...ofBare, known])
    const bareCold = await onceWithoutBlocks(bareServer, sizes, (asked) =>
      once(BARE_WITHOUT_BLOCKS, asked, bareServer.pid, TIMES),
    )
    const alone = [woken, bareCold, cold, coldest, first].map(({ bytes: _, ...cost }) => cost)
    const costs = [...inTurn, ...alone]
    const found: { parley: Herd; bare: Herd }[] = []
    // Each class of readers has its own blocks.
    for (const at of people.keys()) await drain(agent, register(at))
    for (const at of herds) {
      if (at * bytes > MAX_HERD_BYTES) continue
      const bare = await herd(at, () => bareAsked, bareServer.pid)
      const parley = await herd(at, (one) => register(one), parleyPid)
      found.push({ parley, bare })
    }
    return { ...size, bytes, costs, herds: found }
  } finally {
    agent.destroy()
    await bareServer.stop()
  }
}

async function logInAll(owner: ApiClient, users: number): Promise<OutgoingHttpHeaders[]> {
  const people: OutgoingHttpHeaders[] = []
  for (let person = 0; person < Math.min(PEOPLE, users); person += 1) {
    people.push((await owner.logIn(seededEmail(person))).authorization())
  }
  return people
}

function registration({ url }: ApiClient, headers: OutgoingHttpHeaders): Asked {
  return { method: 'POST', url: `${url}/api/v1/register`, headers, form: FIELDS }
}

interface Measured {
  readonly name: string
  readonly pid: number
  readonly make: (at: number) => Asked
  readonly rows: RowCounts
}

/** Warms up all subjects, then measures them in alternating rounds, so that other work of the machine affects all alike. */
async function measureInTurn(agent: Agent, all: readonly Measured[]): Promise<RegisterCost[]> {
  for (const { pid, make } of all) await warmUp(pid, () => drainSeveral(agent, make))
  const found = all.map(() => ({ ms: [] as number[], processorMs: [] as number[] }))
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, { pid, make }] of all.entries()) {
      await pause(100)
      const [spentBefore, began] = [processorMs(pid), performance.now()]
      for (let one = 0; one < REQUESTS_OF_A_ROUND; one += 1) {
        await drain(agent, make(round * REQUESTS_OF_A_ROUND + one))
      }
      found[index]!.ms.push((performance.now() - began) / REQUESTS_OF_A_ROUND)
      found[index]!.processorMs.push((processorMs(pid) - spentBefore) / REQUESTS_OF_A_ROUND)
    }
  }
  return all.map(({ name, rows }, index) => ({
    name,
    ms: middle(found[index]!.ms),
    processorMs: middle(found[index]!.processorMs),
    rows,
  }))
}

interface Sizes {
  readonly bytes: number
  readonly rows: number
  /** The number of bytes outside blocks. */
  readonly personal: number
  readonly blocks: number
}

/** Returns the bytes of an answer that are in no block. */
async function personalBytes({ method, url, headers, form }: Asked): Promise<number> {
  const response = await fetch(url, { method, headers: headers as Record<string, string>, body: form! })
  const state = fromJson<Record<string, unknown>>(await response.text())
  const personal = Object.entries(state).filter(([key]) => !IN_BLOCKS.includes(key))
  return Buffer.byteLength(JSON.stringify(Object.fromEntries(personal)))
}

/** Returns the bare platform's steps that come closer to a snapshot made of blocks. The names begin with `bare`. */
async function ladderOf(
  { obligedUrl }: BareServer,
  { bytes, rows, personal, blocks }: Sizes,
  headers: OutgoingHttpHeaders,
): Promise<{ name: string; asked: Asked }[]> {
  const response = await fetch(`${obligedUrl}/versions?${encodeFields({ rows })}`, {
    method: 'POST',
    headers: headers as Record<string, string>,
  })
  if (!response.ok) throw new Error(`The bare platform could not be prepared: ${await response.text()}`)
  const asked = (chunks: number): Asked => ({
    method: 'POST',
    url: `${obligedUrl}/register?${encodeFields({ bytes, rows, chunks })}`,
  })
  const shared = { rows, personal, blocks, bytes: bytes - personal }
  return [
    { name: BARE_WITH_VERSIONS, asked: asked(Math.ceil(bytes / BARE_CHUNK_BYTES)) },
    { name: BARE_IN_CHUNKS, asked: asked(rows) },
    {
      name: BARE_WITH_CALLER,
      asked: { method: 'POST', url: `${obligedUrl}/register-personal?${encodeFields(shared)}`, headers },
    },
  ]
}

/** Measures the warm bare platform when its Worker has no blocks. */
async function onceWithoutBlocks<Cost>(
  { obligedUrl }: BareServer,
  { blocks, bytes }: Sizes,
  measure: (asked: Asked) => Promise<Cost>,
): Promise<Cost> {
  const filled = await fetch(`${obligedUrl}/blocks?${encodeFields({ blocks, bytes })}`, { method: 'POST' })
  if (!filled.ok) throw new Error(`The blocks of the bare platform: ${await filled.text()}`)
  const asked: Asked = { method: 'POST', url: `${obligedUrl}/register-anew` }
  await measure(asked)
  return measure(asked)
}

/**
 * Sends requests at once, each over a new connection: the local runtime closes a connection that was idle for 5 s, and resets a request
 * that reaches it at that moment.
 */
async function herd(at: number, make: (one: number) => Asked, pid: number): Promise<Herd> {
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })
  await pause(500)
  const [spentBefore, began] = [processorMs(pid), performance.now()]
  const answers = await Promise.allSettled(Array.from({ length: at }, (_, one) => drain(agent, make(one))))
  const lastMs = performance.now() - began
  agent.destroy()
  for (const answer of answers) if (answer.status === 'rejected') process.stderr.write(`${answer.reason}\n`)
  const answered = answers.filter(({ status }) => status === 'fulfilled').length
  return { at, answered, lastMs, processorMs: processorMs(pid) - spentBefore }
}

/** Measures the memory while many register. The server must have been started with an inspector, and with its objects apart. */
export async function measureHerdHeap(
  server: LocalServer,
  size: { readonly users: number; readonly channels: number },
  at: number,
): Promise<HerdHeap> {
  const { owner } = await buildLarge(server, { ...size, messages: 1_000 })
  const people = await logInAll(owner, size.users)
  const make = (one: number): Asked => registration(owner, people[one % people.length]!)
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })
  for (const one of people.keys()) await drain(agent, make(one))
  agent.destroy()
  const heaps = await startHeaps(server, owner)
  try {
    const before = await heaps.maxHeldDuring(pause(1))
    const during = herd(at, make, server.runtimePid())
    const bytes = await heaps.maxHeldDuring(during)
    return { at, answered: (await during).answered, bytes, before }
  } finally {
    heaps.stop()
  }
}

/** Makes the requests of one step of the warm-up, and returns their number. */
async function drainSeveral(agent: Agent, make: (one: number) => Asked): Promise<number> {
  for (let one = 0; one < WARM_UP_REQUESTS; one += 1) await drain(agent, make(one))
  return WARM_UP_REQUESTS
}

/** Reads the whole answer and discards it. */
function drain(agent: Agent, { method, url, headers, form }: Asked) {
  const body = form?.toString()
  const type = body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }
  return new Promise<{ bytes: number; headers: Record<string, unknown> }>((resolve, reject) => {
    const outgoing = request(url, { method, agent, headers: { ...headers, ...type } }, (incoming) => {
      let bytes = 0
      incoming.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      incoming.on('error', reject)
      incoming.on('end', () => {
        if (incoming.statusCode === 200) resolve({ bytes, headers: incoming.headers })
        else reject(new Error(`${url} answered ${incoming.statusCode}`))
      })
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
