import { DurableObject } from 'cloudflare:workers'

interface Environment {
  readonly LISTENERS: DurableObjectNamespace<Listeners>
  /** The Worker that the clients listen to. */
  readonly TARGET: Fetcher
}

/** How one client listens. */
interface Listener {
  readonly url: string
  readonly headers: Record<string, string>
}

interface Reply {
  readonly events?: readonly { readonly id: number }[]
}

/** Returns the id of the newest event of an answer, if it has any. This file runs alone, so it imports no reader of JSON. */
function newestOf(answer: string): number | undefined {
  const { events }: Reply = JSON.parse(answer)
  return events?.at(-1)?.id
}

/** The mark in the sent text, which occurs nowhere else in an event. */
const SENT = /heard-\d+/g
const OPENED_AT_ONCE = 50
/** The number of events after which a client must acknowledge. */
const ACKNOWLEDGE_EVERY = 20
const COME_AGAIN_MS = 100

/**
 * Thousands of clients of another Worker, in one object of the same process. They need no connections, of which the local runtime accepts
 * only a limited number. Their work runs on the thread of the Worker they listen to.
 */
export class Listeners extends DurableObject<Environment> {
  #sockets: WebSocket[] = []
  #polls: Promise<void>[] = []
  #isOver = false
  /** By message, in ms of the clock: when it was sent, and when each client had it. */
  readonly #sentAt = new Map<string, number>()
  readonly #heardAt = new Map<string, number[]>()
  #characters = 0
  #frames = 0

  override async fetch(request: Request): Promise<Response> {
    switch (new URL(request.url).pathname) {
      case '/streams':
        return this.#listen((await request.json()) as Listener[], (one) => this.#stream(one))
      case '/polls':
        return this.#listen((await request.json()) as Listener[], async (one) => {
          this.#polls.push(this.#poll(one))
        })
      case '/send':
        return this.#send(request)
      case '/heard':
        return Response.json(this.#heard())
      default:
        return this.#stop()
    }
  }

  async #listen(all: readonly Listener[], open: (one: Listener) => Promise<void>): Promise<Response> {
    this.#isOver = false
    for (let at = 0; at < all.length; at += OPENED_AT_ONCE) {
      await Promise.all(all.slice(at, at + OPENED_AT_ONCE).map(open))
    }
    return Response.json({})
  }

  async #stream({ url, headers }: Listener): Promise<void> {
    const { webSocket, status } = await this.env.TARGET.fetch(url, {
      headers: { ...headers, Upgrade: 'websocket' },
    })
    if (!webSocket) throw new Error(`No socket, but ${status}`)
    let unsaid = 0
    webSocket.addEventListener('message', ({ data }) => {
      this.#note(data as string)
      unsaid += 1
      if (unsaid < ACKNOWLEDGE_EVERY) return
      unsaid = 0
      const id = newestOf(data as string)
      if (id !== undefined) webSocket.send(JSON.stringify({ last_event_id: id }))
    })
    webSocket.accept()
    this.#sockets.push(webSocket)
  }

  async #poll({ url, headers }: Listener): Promise<void> {
    for (let last = -1; !this.#isOver; ) {
      const reply = await this.env.TARGET.fetch(url.replace('LAST', String(last)), { headers })
      const text = await reply.text()
      if (!reply.ok) {
        await new Promise((resolve) => setTimeout(resolve, COME_AGAIN_MS))
        continue
      }
      this.#note(text)
      last = newestOf(text) ?? last
    }
  }

  #note(text: string): void {
    const now = Date.now()
    for (const [sent] of text.matchAll(SENT)) this.#heardAt.get(sent)?.push(now - this.#sentAt.get(sent)!)
    this.#characters += text.length
    this.#frames += 1
  }

  /** Passes a request on. Its text is in the header X-Sent. */
  async #send(request: Request): Promise<Response> {
    const sent = request.headers.get('X-Sent')!
    const url = request.headers.get('X-Url')!
    const body = await request.text()
    this.#sentAt.set(sent, Date.now())
    this.#heardAt.set(sent, [])
    const headers = Object.fromEntries(
      ['authorization', 'content-type'].flatMap((name) => {
        const value = request.headers.get(name)
        return value === null ? [] : [[name, value]]
      }),
    )
    const reply = await this.env.TARGET.fetch(url, { method: 'POST', headers, body })
    await reply.text()
    return new Response(null, { status: reply.status })
  }

  #heard() {
    return {
      heard: Object.fromEntries([...this.#heardAt].map(([sent, times]) => [sent, summary(times)])),
      charactersOfFrame: this.#frames === 0 ? 0 : this.#characters / this.#frames,
    }
  }

  #stop(): Response {
    this.#isOver = true
    for (const socket of this.#sockets.splice(0)) socket.close()
    this.#polls = []
    this.#sentAt.clear()
    this.#heardAt.clear()
    this.#characters = 0
    this.#frames = 0
    return Response.json({})
  }
}

/** Summarizes times, which ascend because they are pushed as they come. */
function summary(times: readonly number[]) {
  return {
    count: times.length,
    first: times[0] ?? 0,
    median: times[Math.floor(times.length / 2)] ?? 0,
    last: times.at(-1) ?? 0,
  }
}

export default {
  fetch: (request, env) => env.LISTENERS.get(env.LISTENERS.idFromName('all')).fetch(request),
} satisfies ExportedHandler<Environment>
