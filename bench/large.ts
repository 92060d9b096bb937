/**
 * `npm run bench -- --large --users N,N --channels N,N --messages N,N`: measures, in organizations of these sizes, the cost of operations,
 * how long others wait meanwhile, the memory with two thousand queues, and the time of the first answer after an eviction.
 */

import { ApiClient } from '../scripts/api-client.ts'
import type { LocalServer } from '../scripts/local-server.ts'
import { createOrganization } from '../scripts/organizations.ts'
import {
  postTo,
  type SeededOrganization,
  type SeedSize,
  seedOrganization,
} from '../scripts/seed-organization.ts'
import { type HeapBytes, startHeaps } from './isolate-heap.ts'
import { type LargeHeap, measureHeap } from './large-heap.ts'
import { askCounted, type OperationCost, operationCosts, type Watch } from './large-operations.ts'
import { processorMs } from './processor-time.ts'
import { watchSlices } from './slices.ts'

/** Goals: bytes of the object after a collection with all queues waiting, bytes of one request in the Worker, and ms that others wait and that a turn takes. */
export const LARGE_GOALS = {
  heapBytes: 64 * 2 ** 20,
  requestHeapBytes: 32 * 2 ** 20,
  waitMs: 250,
  turnMs: 50,
}

export interface LargeResults {
  readonly size: SeedSize
  readonly seedSeconds: number
  readonly heap: LargeHeap
  /** After all operations and a collection. */
  readonly heapAfter: HeapBytes
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

export interface LargeOrganization {
  readonly account: { readonly email: string; readonly api_key: string }
  readonly owner: ApiClient
  readonly seeded: SeededOrganization
  readonly realmId: number
  readonly seedSeconds: number
  readonly seedProcessorSeconds: number
  readonly accountsProcessorSeconds: number
}

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
  return { account, owner, seeded, realmId: account.realm_id, ...seconds }
}

/** The first results: making the organization, and its memory. */
export interface LargeBuilt extends Omit<LargeOrganization, 'owner'> {
  readonly heap: LargeHeap
}

export async function buildAndWeigh(server: LocalServer, size: SeedSize): Promise<LargeBuilt> {
  const { owner, ...built } = await buildLarge(server, size)
  const heap = await measureHeap(server, owner, built.seeded, size)
  // Printed at once, because the rest takes minutes.
  process.stderr.write(`heap ${JSON.stringify(heap)} … `)
  return { ...built, heap }
}

/** Measures the rest, on a server that has just started, with the state of the one before. The objects of both are apart. */
export async function measureLarge(
  server: LocalServer,
  size: SeedSize,
  { account, seeded, realmId, heap, ...seconds }: LargeBuilt,
): Promise<LargeResults> {
  const owner = new ApiClient(server.url, account)
  const heaps = await startHeaps(server, owner)
  try {
    // A restart is a deployment for the organizations: no isolate has sections of a snapshot.
    await owner.call('POST', '/register', { include_subscribers: true })
    const first = await firstAnswer(server, owner, realmId)
    const watch: Watch = (work) => watchSlices(heaps.inspectors, true, work)
    const operations = await operationCosts(owner, seeded, size, server.runtimePid(), watch)
    return {
      size,
      ...seconds,
      heap,
      heapAfter: await heaps.used(),
      firstAnswerMs: first.ms,
      firstAnswerProcessorMs: first.processorMs,
      operations,
    }
  } finally {
    heaps.stop()
  }
}

async function firstAnswer(
  server: LocalServer,
  owner: ApiClient,
  realmId: number,
): Promise<{ ms: number; processorMs: number }> {
  await server.evictRealm(realmId)
  const before = processorMs(server.runtimePid())
  const { ms } = await askCounted(owner, { name: 'after an eviction', method: 'GET', path: '/users/me' })
  return { ms, processorMs: processorMs(server.runtimePid()) - before }
}
