/** Measures the memory of the isolate in which Worker and object run on this machine, or of one of both where they are apart. */
import type { ApiClient } from '../scripts/api-client.ts'
import type { LocalServer } from '../scripts/local-server.ts'
import { again } from './hostile-chat.ts'
import { type Inspector, openInspector } from './inspector.ts'

export interface IsolateHeap {
  /** Bytes in use after a collection, buffers outside the heap included. */
  used(): Promise<number>
  /** The largest number of bytes in use during some work, after repeated collections. */
  maxDuring(work: () => Promise<unknown>): Promise<number>
  /** The inspected isolate, for other measurements over the same connection. */
  readonly inspector: Inspector
  stop(): void
}

interface Usage {
  readonly usedSize: number
  readonly backingStorageSize?: number
}

const GIVEN_TO_COLLECT_MS = 20

function pause(ms: number): Promise<false> {
  return new Promise((resolve) => setTimeout(() => resolve(false), ms))
}

/**
 * The server must have been started with an inspector.
 * @param wake gives the isolate something to do.
 */
export async function startIsolateHeap(
  server: LocalServer,
  of?: 'worker' | 'objects',
  wake: () => Promise<unknown> = async () => (await fetch(`${server.url}/health`)).text(),
): Promise<IsolateHeap> {
  const inspector = await openInspector(server, of)
  const { ask, stop } = inspector
  const used = async (): Promise<number> => {
    const collected = ask('HeapProfiler.collectGarbage')
    // workerd collects when the isolate next has something to do.
    for (let isDone = false; !isDone; ) {
      await again(wake)
      isDone = await Promise.race([collected.then(() => true), pause(GIVEN_TO_COLLECT_MS)])
    }
    const { usedSize, backingStorageSize = 0 } = await ask<Usage>('Runtime.getHeapUsage')
    return usedSize + backingStorageSize
  }
  const maxDuring = async (work: () => Promise<unknown>): Promise<number> => {
    let isOver = false
    const done = work().finally(() => {
      isOver = true
    })
    let most = 0
    while (!isOver) most = Math.max(most, await used())
    await done
    return most
  }
  return { inspector, used, maxDuring, stop }
}

/** Bytes of the isolate of the Worker, and of that of the object. */
export interface HeapBytes {
  readonly worker: number
  readonly object: number
}

/** The isolates of the Worker and of the object, each by itself. */
export interface Heaps {
  used(): Promise<HeapBytes>
  maxDuring(work: () => Promise<unknown>): Promise<HeapBytes>
  stop(): void
}

/** The server must have been started with an inspector, and with its objects apart. */
export async function startHeaps(server: LocalServer, owner: ApiClient): Promise<Heaps> {
  const wake = () => owner.call('GET', '/users/me')
  const worker = await startIsolateHeap(server, 'worker', wake)
  const object = await startIsolateHeap(server, 'objects', wake)
  const maxDuring = async (work: () => Promise<unknown>): Promise<HeapBytes> => {
    const done = work()
    const most = await Promise.all([worker, object].map((heap) => heap.maxDuring(() => done)))
    return { worker: most[0]!, object: most[1]! }
  }
  return {
    used: async () => ({ worker: await worker.used(), object: await object.used() }),
    maxDuring,
    stop() {
      worker.stop()
      object.stop()
    },
  }
}
