/** Measures the memory of the isolate in which Worker and object run on this machine, or of one of both where they are apart. */
import type { ApiClient } from '../scripts/api-client.ts'
import { fromJson } from '../scripts/json.ts'
import type { LocalServer } from '../scripts/local-server.ts'
import { again } from './hostile-chat.ts'
import { type Inspector, openInspector } from './inspector.ts'

export interface IsolateHeap {
  /** Bytes in use after a collection, buffers outside the heap included. */
  used(): Promise<number>
  /** The largest number of bytes in use during some work, after repeated collections. */
  maxDuring(work: () => Promise<unknown>): Promise<number>
  /**
   * The most that is held during some work, by snapshots of the heap. Each stops the isolate for a second, but excludes garbage that other
   * requests leave between a collection and its measurement.
   */
  maxHeldDuring(work: Promise<unknown>): Promise<number>
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
  return isolateHeapOf(await openInspector(server, of), wake)
}

/** @param wake gives the isolate something to do. */
export function isolateHeapOf(inspector: Inspector, wake: () => Promise<unknown>): IsolateHeap {
  const { ask, stop } = inspector
  /** workerd does that only when the isolate has work. */
  const untilDone = async (asked: Promise<unknown>): Promise<void> => {
    for (let isDone = false; !isDone; ) {
      await again(wake)
      isDone = await Promise.race([asked.then(() => true), pause(GIVEN_TO_COLLECT_MS)])
    }
  }
  const used = async (): Promise<number> => {
    await untilDone(ask('HeapProfiler.collectGarbage'))
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
  const held = async (): Promise<number> => {
    const chunks: string[] = []
    inspector.on<{ readonly chunk: string }>('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => {
      chunks.push(chunk)
    })
    await untilDone(ask('HeapProfiler.takeHeapSnapshot', { reportProgress: false }))
    return sizeOf(fromJson<Snapshot>(chunks.join('')))
  }
  const maxHeldDuring = async (work: Promise<unknown>): Promise<number> => {
    let isOver = false
    const done = work.finally(() => {
      isOver = true
    })
    let most = 0
    while (!isOver) most = Math.max(most, await held())
    await done
    return most
  }
  return { inspector, used, maxDuring, maxHeldDuring, stop }
}

/** A snapshot of the heap, in V8's form. */
interface Snapshot {
  readonly snapshot: { readonly meta: { readonly node_fields: readonly string[] } }
  readonly nodes: readonly number[]
}

/** Returns the bytes of all that is in a snapshot, buffers outside the heap included. */
function sizeOf({ snapshot, nodes }: Snapshot): number {
  const { node_fields: fields } = snapshot.meta
  let bytes = 0
  for (let at = fields.indexOf('self_size'); at < nodes.length; at += fields.length) bytes += nodes[at]!
  return bytes
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
  /** Like `maxDuring`, but with `IsolateHeap.maxHeldDuring` for the Worker. */
  maxHeldDuring(work: Promise<unknown>): Promise<HeapBytes>
  /** The inspected isolates, for other measurements over the same connections. */
  readonly inspectors: Readonly<Record<keyof HeapBytes, Inspector>>
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
    inspectors: { worker: worker.inspector, object: object.inspector },
    async maxHeldDuring(work) {
      const [ofWorker, ofObject] = await Promise.all([
        worker.maxHeldDuring(work),
        object.maxDuring(() => work),
      ])
      return { worker: ofWorker, object: ofObject }
    },
    stop() {
      worker.stop()
      object.stop()
    },
  }
}
