/** The memory of a large organization's object and of the Worker, each in an isolate of its own as on the platform. */
import type { ApiClient } from '../scripts/api-client.ts'
import type { LocalServer } from '../scripts/local-server.ts'
import { type SeededOrganization, type SeedSize, seededEmail } from '../scripts/seed-organization.ts'
import { endAll, poll, registerAll } from './fan-out.ts'
import { Connections } from './http-load.ts'
import { type HeapBytes, type Heaps, startHeaps } from './isolate-heap.ts'
import type { BenchUser } from './organization.ts'

export interface LargeHeap {
  readonly queues: number
  /** After a collection. */
  readonly idle: HeapBytes
  /** After a collection, with all queues waiting. */
  readonly waiting: HeapBytes
  /** The growth during one request, after repeated collections. */
  readonly requests: Readonly<Record<string, HeapBytes>>
}

const QUEUES = 2_000
/** Milliseconds in which all polls arrive and are held. */
const SETTLE_MS = 5_000

/** The server must have been started with an inspector, and with its objects apart. */
export async function measureHeap(
  server: LocalServer,
  owner: ApiClient,
  seeded: SeededOrganization,
  size: SeedSize,
): Promise<LargeHeap> {
  const heaps = await startHeaps(server, owner)
  try {
    const idle = await heaps.used()
    const { waiting, queues } = await heapWithQueues(owner, seeded, size, heaps)
    return { queues, idle, waiting, requests: await heapOfRequests(owner, heaps) }
  } finally {
    heaps.stop()
  }
}

/** Measures the heap while everybody waits for events, or two thousand people if there are more. */
async function heapWithQueues(
  client: ApiClient,
  { firstUserId }: SeededOrganization,
  { users }: SeedSize,
  heaps: Heaps,
): Promise<{ waiting: HeapBytes; queues: number }> {
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
  const waiting = await heaps.used()
  await endAll(connections, client.url, queues)
  await Promise.all(polls)
  connections.close()
  return { waiting, queues: queues.length }
}

/** The requests with the largest answers. The first of them makes the object make, and the Worker keep, the blocks that many ask for. */
async function heapOfRequests(owner: ApiClient, heaps: Heaps): Promise<Readonly<Record<string, HeapBytes>>> {
  const page = { anchor: 'newest', num_before: 5_000, num_after: 0 }
  const all: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['register, everything, the first', () => owner.call('POST', '/register', {})],
    ['register, everything', () => owner.call('POST', '/register', { include_subscribers: true })],
    ['5,000 messages', () => owner.call('GET', '/messages', page)],
    ['all people', () => owner.call('GET', '/users', {})],
    ['all channels', () => owner.call('GET', '/streams', { include_all_active: true })],
  ]
  const grown: Record<string, HeapBytes> = {}
  for (const [name, ask] of all) {
    const before = await heaps.used()
    const most = await heaps.maxDuring(ask)
    grown[name] = {
      worker: Math.max(most.worker - before.worker, 0),
      object: Math.max(most.object - before.object, 0),
    }
  }
  return grown
}
