/** How much memory the isolate uses in which Worker and object run on this machine, asked over workerd's inspector. */
import type { LocalServer } from '../scripts/local-server.ts'

export interface IsolateHeap {
  /** Bytes in use after a collection, buffers outside the heap included. */
  used(): Promise<number>
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

/** The server must have been started with an inspector. */
export async function startIsolateHeap(server: LocalServer): Promise<IsolateHeap> {
  const socket = new WebSocket(await server.inspectorUrl())
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve(), { once: true })
    socket.addEventListener('error', () => reject(new Error('The inspector cannot be reached')), {
      once: true,
    })
  })
  const waiting = new Map<number, (result: unknown) => void>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id?: number; result?: unknown }
    if (id === undefined) return
    waiting.get(id)?.(result)
    waiting.delete(id)
  })
  let asked = 0
  const ask = <Result>(method: string) =>
    new Promise<Result>((resolve) => {
      asked += 1
      waiting.set(asked, (result) => resolve(result as Result))
      socket.send(JSON.stringify({ id: asked, method, params: {} }))
    })
  return {
    async used() {
      const collected = ask('HeapProfiler.collectGarbage')
      // workerd does it when the isolate next has something to do.
      for (let isDone = false; !isDone; ) {
        await fetch(`${server.url}/health`).then((response) => response.text())
        isDone = await Promise.race([collected.then(() => true), pause(GIVEN_TO_COLLECT_MS)])
      }
      const { usedSize, backingStorageSize = 0 } = await ask<Usage>('Runtime.getHeapUsage')
      return usedSize + backingStorageSize
    },
    stop: () => socket.close(),
  }
}
