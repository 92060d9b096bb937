/**
 * `npm run bench -- --large --users N,N --channels N,N --messages N,N`: measures, in organizations of these sizes, what operations cost,
 * how long others wait meanwhile, the memory with two thousand queues, and the time of the first answer after an eviction.
 */
import { ApiClient } from '../scripts/api-client.ts'
import type { LocalServer } from '../scripts/local-server.ts'
import { createOrganization } from '../scripts/organizations.ts'
import {
  postTo,
  type SeededOrganization,
  type SeedSize,
  seededEmail,
  seedOrganization,
} from '../scripts/seed-organization.ts'
import { endAll, poll, registerAll } from './fan-out.ts'
import { Connections } from './http-load.ts'
import { type IsolateHeap, startIsolateHeap } from './isolate-heap.ts'
import { askCounted, type OperationCost, operationCosts, type Watch } from './large-operations.ts'
import type { BenchUser } from './organization.ts'
import { processorMs } from './processor-time.ts'
import { linesOfWorker, watchTurns } from './turns.ts'

/** Goals: bytes of the isolate after a collection with all queues waiting, bytes of one request, and ms that others wait and that a turn takes. */
export const LARGE_GOALS = {
  heapBytes: 64 * 2 ** 20,
  requestHeapBytes: 32 * 2 ** 20,
  waitMs: 250,
  turnMs: 50,
}

export interface LargeResults {
  readonly size: SeedSize
  readonly seedSeconds: number
  readonly queues: number
  /** Bytes after a collection, of the isolate in which Worker and object run here. */
  readonly heapBytes: { readonly idle: number; readonly waiting: number; readonly after: number }
  /** Bytes by which the heap of Worker and object together grew during one request, after collections. */
  readonly requestHeapBytes: Readonly<Record<string, number>>
  /** Milliseconds of the first answer of an object that was not in memory. */
  readonly firstAnswerMs: number
  /** Milliseconds of processor time of the server's process. */
  readonly firstAnswerProcessorMs: number
  /** Processor time to make the organization. */
  readonly seedProcessorSeconds: number
  /** The part of it for the accounts. */
  readonly accountsProcessorSeconds: number
  readonly operations: readonly OperationCost[]
}

interface LargeOrganization {
  readonly owner: ApiClient
  readonly seeded: SeededOrganization
  readonly realmId: number
  readonly seedSeconds: number
  readonly seedProcessorSeconds: number
  readonly accountsProcessorSeconds: number
}

const QUEUES = 2_000
/** Milliseconds in which all polls arrive and are held. */
const SETTLE_MS = 5_000

/** Makes an organization of that size. Returns its owner. */
export async function buildLarge(server: LocalServer, size: SeedSize): Promise<LargeOrganization> {
  const database = await server.runtime.getD1Database('DB')
  const account = await createOrganization(server.url, (sql) => database.prepare(sql).run(), {
    name: 'Large',
    host: 'localhost',
    owner: { email: 'owner@example.com', full_name: 'Olive Owner', password: 'measured words' },
  })
  const owner = new ApiClient(server.url, account)
  const began = performance.now()
  const before = processorMs(server.runtimePid())
  const spent = () => (processorMs(server.runtimePid()) - before) / 1_000
  let accountsProcessorSeconds = 0
  const post = postTo(`${server.url}/dev/seed`, 'localhost')
  const seeded = await seedOrganization(post, account.user_id, size, ({ stage }) => {
    if (accountsProcessorSeconds === 0 && stage === 'channels') accountsProcessorSeconds = spent()
  })
  process.stderr.write('seeded … ')
  const seedProcessorSeconds = spent()
  const seedSeconds = (performance.now() - began) / 1_000
  const seconds = { seedSeconds, seedProcessorSeconds, accountsProcessorSeconds }
  return { owner, seeded, realmId: account.realm_id, ...seconds }
}

export async function measureLarge(server: LocalServer, size: SeedSize): Promise<LargeResults> {
  const { owner, seeded, realmId, ...seconds } = await buildLarge(server, size)
  const heap = await startIsolateHeap(server)
  try {
    const idle = await heap.used()
    process.stderr.write('measured … ')
    const { waiting, queues } = await heapWithQueues(owner, seeded, size, heap.used)
    process.stderr.write('queues … ')
    const requestHeapBytes = await heapOfRequests(owner, heap)
    // Printed at once, because the rest takes minutes.
    process.stderr.write(`requests ${JSON.stringify({ idle, waiting, requestHeapBytes })} … `)
    const first = await firstAnswer(server, owner, realmId)
    const lines = await linesOfWorker()
    const watch: Watch = (work) => watchTurns(heap.inspector, lines, work)
    const operations = await operationCosts(owner, seeded, size, server.runtimePid(), watch)
    const after = await heap.used()
    return {
      size,
      ...seconds,
      queues,
      heapBytes: { idle, waiting, after },
      requestHeapBytes,
      firstAnswerMs: first.ms,
      firstAnswerProcessorMs: first.processorMs,
      operations,
    }
  } finally {
    heap.stop()
  }
}

/** Measures the heap while everybody waits for events, or two thousand people if there are more. */
async function heapWithQueues(
  client: ApiClient,
  { firstUserId }: SeededOrganization,
  { users }: SeedSize,
  used: () => Promise<number>,
): Promise<{ waiting: number; queues: number }> {
  const people: BenchUser[] = []
  for (let person = 0; person < Math.min(users, QUEUES); person += 1) {
    const one = await client.logIn(seededEmail(person))
    people.push({ id: firstUserId + person, authorization: one.authorization() })
  }
  const listeners = Array.from({ length: QUEUES }, (_, at) => people[at % people.length]!)
  const connections = new Connections()
  const queues = await registerAll(connections, client.url, listeners)
  const polls = queues.map((queue) => poll(connections, client.url, queue))
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
  const waiting = await used()
  await endAll(connections, client.url, queues)
  await Promise.all(polls)
  connections.close()
  return { waiting, queues: queues.length }
}

/** The requests with the largest answers. The first of them makes the Worker build and keep the blocks that many ask for. */
async function heapOfRequests(
  owner: ApiClient,
  heap: IsolateHeap,
): Promise<Readonly<Record<string, number>>> {
  const page = { anchor: 'newest', num_before: 5_000, num_after: 0 }
  const all: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['register, everything, the first', () => owner.call('POST', '/register', {})],
    ['register, everything', () => owner.call('POST', '/register', { include_subscribers: true })],
    ['5,000 messages', () => owner.call('GET', '/messages', page)],
    ['all people', () => owner.call('GET', '/users', {})],
    ['all channels', () => owner.call('GET', '/streams', { include_all_active: true })],
  ]
  const grown: Record<string, number> = {}
  for (const [name, ask] of all) {
    const before = await heap.used()
    grown[name] = Math.max((await heap.maxDuring(ask)) - before, 0)
  }
  return grown
}

async function firstAnswer(
  server: LocalServer,
  owner: ApiClient,
  realmId: number,
): Promise<{ ms: number; processorMs: number }> {
  const object = { name: `realm-${realmId}` }
  await server.runtime.unsafeEvictDurableObject('parley', 'RealmObject', object)
  const before = processorMs(server.runtimePid())
  const { ms } = await askCounted(owner, { name: 'after an eviction', method: 'GET', path: '/users/me' })
  return { ms, processorMs: processorMs(server.runtimePid()) - before }
}
