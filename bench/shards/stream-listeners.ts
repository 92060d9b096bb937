/** Clients that listen by event streams from this process, so that the server's processor time does not include their work. */

import { encodeFields } from '../../scripts/api-client.ts'
import { fromJson } from '../../scripts/json.ts'
import type { OpenQueue } from '../fan-out.ts'
import { openSocket } from '../open-socket.ts'

interface HeardFrame {
  readonly events: readonly { readonly id: number; readonly message?: { readonly content: string } }[]
}

const ACKNOWLEDGE_EVERY = 20
const MAX_MS = 120_000
const LOOK_MS = 5
const RECONNECT_MS = 200

/**
 * When a stream is closed, which happens on a busy machine, they connect again with their cursor, as clients have to
 * (docs/event-stream.md).
 */
export class StreamListeners {
  readonly #sockets = new Set<WebSocket>()
  /** The number of clients that have a message, by its text. */
  readonly #heard = new Map<string, number>()
  /** The number of closed streams by their code. */
  readonly #closed = new Map<number, number>()
  #hasStopped = false

  static async of(url: string, queues: readonly OpenQueue[]): Promise<StreamListeners> {
    const listeners = new StreamListeners()
    for (const queue of queues) await listeners.#open(url, { ...queue })
    return listeners
  }

  /** Resolves when this number of listeners have the message with this text. */
  async heard(count: number, text: string): Promise<void> {
    const began = performance.now()
    for (;;) {
      const have = this.#heard.get(text) ?? 0
      if (have >= count) return
      if (performance.now() - began > MAX_MS) {
        const closed = [...this.#closed].map(([code, times]) => `${times} with ${code}`).join(', ') || 'none'
        throw new Error(`${have} of ${count} have heard “${text}”; streams that were closed: ${closed}`)
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
    }
  }

  stop(): void {
    this.#hasStopped = true
    for (const socket of this.#sockets) socket.close()
  }

  /** Resolves when the first stream of a queue is open. */
  async #open(url: string, queue: OpenQueue): Promise<void> {
    const socket = this.#connect(url, queue)
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve)
      socket.addEventListener('error', () => reject(new Error(`No socket at ${url}`)))
    })
  }

  #connect(url: string, queue: OpenQueue): WebSocket {
    const fields = encodeFields({ queue_id: queue.id, last_event_id: queue.lastEventId })
    const address = `${url}/api/v1/events?${fields}`
    const socket = openSocket(address, queue.headers)
    this.#sockets.add(socket)
    let unsaid = 0
    socket.addEventListener('message', ({ data }) => {
      const { events } = fromJson<HeardFrame>(String(data))
      for (const { id, message } of events) {
        // Events that were not acknowledged arrive again.
        if (id <= queue.lastEventId) continue
        queue.lastEventId = id
        if (message) this.#heard.set(message.content, (this.#heard.get(message.content) ?? 0) + 1)
      }
      unsaid += events.length
      if (unsaid < ACKNOWLEDGE_EVERY) return
      unsaid = 0
      socket.send(JSON.stringify({ last_event_id: queue.lastEventId }))
    })
    socket.addEventListener('close', ({ code }) => {
      this.#sockets.delete(socket)
      if (this.#hasStopped) return
      this.#closed.set(code, (this.#closed.get(code) ?? 0) + 1)
      setTimeout(() => this.#connect(url, queue), RECONNECT_MS)
    })
    return socket
  }
}
