/** The isolate in which Worker and object run on this machine, or one of both, over workerd's inspector (Chrome's DevTools protocol). */
import { fromJson } from '../scripts/json.ts'
import type { LocalServer } from '../scripts/local-server.ts'

export interface Inspector {
  ask<Result>(method: string, params?: object): Promise<Result>
  /** Calls `listen` with the parameters of each such event, in place of the former listener. */
  on<Parameters>(method: string, listen: (parameters: Parameters) => void): void
  stop(): void
}

interface Message {
  readonly id?: number
  readonly result?: unknown
  readonly method?: string
  readonly params?: unknown
}

/** The server must have been started with an inspector. */
export async function openInspector(server: LocalServer, of?: 'worker' | 'objects'): Promise<Inspector> {
  return openInspectorAt(await server.inspectorUrl(of))
}

export async function openInspectorAt(url: string): Promise<Inspector> {
  const socket = new WebSocket(url)
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve(), { once: true })
    socket.addEventListener('error', () => reject(new Error('The inspector cannot be reached')), {
      once: true,
    })
  })
  const waiting = new Map<number, (result: unknown) => void>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result, method, params } = fromJson<Message>(String(data))
    if (id === undefined) return listeners.get(method ?? '')?.(params)
    waiting.get(id)?.(result)
    waiting.delete(id)
  })
  const listeners = new Map<string, (parameters: unknown) => void>()
  let asked = 0
  return {
    ask: <Result>(method: string, params: object = {}) =>
      new Promise<Result>((resolve) => {
        asked += 1
        waiting.set(asked, (result) => resolve(result as Result))
        socket.send(JSON.stringify({ id: asked, method, params }))
      }),
    on: <Parameters>(method: string, listen: (parameters: Parameters) => void) => {
      listeners.set(method, (parameters) => listen(parameters as Parameters))
    },
    stop: () => socket.close(),
  }
}
