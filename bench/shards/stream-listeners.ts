/** Clients that listen by event streams from this process, so that what they do is not in the server's processor time. */
import { encodeFields } from '../../scripts/api-client.ts'
import type { OpenQueue } from '../fan-out.ts'

interface HeardFrame {
  readonly events: readonly { readonly id: number; readonly message?: { readonly content: string } }[]
}

const ACKNOWLEDGE_EVERY = 20
const LONGEST_MS = 120_000
const LOOK_MS = 5

export class StreamListeners {
  readonly #sockets: WebSocket[] = []
  /** By a message's HTML: how many have it. */
  readonly #heard = new Map<string, number>()

  static async of(url: string, queues: readonly OpenQueue[]): Promise<StreamListeners> {
    const listeners = new StreamListeners()
    for (const queue of queues) await listeners.#open(url, queue)
    return listeners
  }

  /** Once so many have the message of this text, which is one paragraph. */
  async heard(count: number, text: string): Promise<void> {
    const began = performance.now()
    while ((this.#heard.get(`<p>${text}</p>`) ?? 0) < count) {
      if (performance.now() - began > LONGEST_MS) throw new Error(`Not all ${count} have heard “${text}”`)
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
    }
  }

  stop(): void {
    for (const socket of this.#sockets) socket.close()
  }

  async #open(url: string, { id, headers }: OpenQueue): Promise<void> {
    const address = `${url}/api/v1/events?${encodeFields({ queue_id: id, last_event_id: -1 })}`
    // Node's own takes headers, which browsers do not let a page set.
    const socket = new WebSocket(address.replace('http', 'ws'), { headers } as unknown as string[])
    let unsaid = 0
    socket.addEventListener('message', ({ data }) => {
      const { events } = JSON.parse(data as string) as HeardFrame
      for (const { message } of events) {
        if (message) this.#heard.set(message.content, (this.#heard.get(message.content) ?? 0) + 1)
      }
      unsaid += events.length
      if (unsaid < ACKNOWLEDGE_EVERY) return
      unsaid = 0
      socket.send(JSON.stringify({ last_event_id: events.at(-1)!.id }))
    })
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve)
      socket.addEventListener('error', () => reject(new Error(`No socket at ${address}`)))
    })
    this.#sockets.push(socket)
  }
}
