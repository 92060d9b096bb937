import { askWorker } from './api.ts'
import { requireDeclaredAnswer } from './declared-answers.ts'
import { fromJson, readJson } from './json.ts'
import type { TestEvent, TestQueue } from './queues.ts'

/** The end of a stream, with its close code. */
export class StreamClosed extends Error {
  readonly code: number

  constructor(code: number) {
    super(`The stream was closed with ${code}`)
    this.code = code
  }
}

interface Frame {
  readonly events: TestEvent[]
  readonly queue_id: string
}

/** An event stream as a client keeps it. */
export class TestStream {
  readonly socket: WebSocket
  readonly queue: TestQueue
  readonly #frames: Frame[] = []
  readonly #pongs: string[] = []
  #closed: number | undefined
  #wake: () => void = () => {}
  /** Whether the client has closed it. */
  isLeft = false

  constructor(socket: WebSocket, queue: TestQueue) {
    this.socket = socket
    this.queue = queue
    socket.addEventListener('message', ({ data }) => {
      if (data === 'pong') this.#pongs.push(data)
      else this.#frames.push(fromJson<Frame>(data as string))
      this.#wake()
    })
    socket.addEventListener('close', ({ code }) => {
      this.#closed = code
      this.#wake()
    })
    socket.accept()
  }

  /** Returns the next frame, whatever its content. @throws StreamClosed */
  async frame(): Promise<Frame> {
    await this.#until(() => this.#frames.length > 0)
    const frame = this.#frames.shift()
    if (!frame) throw new StreamClosed(this.#closed!)
    return frame
  }

  /** Returns the next events, from one frame or several, and moves the queue's cursor. @throws StreamClosed */
  async next(count = 1): Promise<TestEvent[]> {
    const events: TestEvent[] = []
    while (events.length < count) events.push(...(await this.frame()).events)
    for (const event of events) {
      if (event.id <= this.queue.lastEventId) {
        throw new Error(`Event ${event.id} came after ${this.queue.lastEventId}`)
      }
      this.queue.lastEventId = event.id
    }
    return events
  }

  async pong(): Promise<string> {
    await this.#until(() => this.#pongs.length > 0)
    return this.#pongs.shift()!
  }

  /** Waits until it is closed and returns the code. */
  async closed(): Promise<number> {
    await this.#until(() => this.#closed !== undefined)
    return this.#closed!
  }

  /** Acknowledges the events returned so far. */
  acknowledge(): void {
    this.say(JSON.stringify({ last_event_id: this.queue.lastEventId }))
  }

  say(text: string): void {
    this.socket.send(text)
  }

  close(): void {
    this.isLeft = true
    this.socket.close(1000)
  }

  async #until(isThere: () => boolean): Promise<void> {
    while (!isThere() && this.#closed === undefined) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }
}

/** Requests GET /events with an upgrade, with an API key. */
export function askForStream(
  { host, email, apiKey }: { host: string; email?: string; apiKey?: string },
  params: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Response> {
  const authorization: Record<string, string> =
    apiKey === undefined ? {} : { Authorization: `Basic ${btoa(`${email}:${apiKey}`)}` }
  return askWorker(
    new Request(`http://${host}/api/v1/events?${new URLSearchParams(params)}`, {
      headers: { Upgrade: 'websocket', ...authorization, ...headers },
    }),
  )
}

/** Returns a refusal, after checking it against the endpoint's declaration. */
export async function refusalOf(response: Response): Promise<{ status: number; code: string; msg: string }> {
  const body = await readJson(response)
  requireDeclaredAnswer('GET', '/events', response.status, body)
  return { status: response.status, code: body.code, msg: body.msg }
}

/** Opens a stream on a queue, from its cursor, and reads its first frame. */
export async function openStream(queue: TestQueue): Promise<TestStream> {
  const { api } = queue.user
  const cursor = { queue_id: queue.id, last_event_id: String(queue.lastEventId) }
  const response = await askForStream(api, cursor)
  if (!response.webSocket) throw new Error(`No stream: ${response.status} ${await response.text()}`)
  const stream = new TestStream(response.webSocket, queue)
  const first = await stream.frame()
  if (first.events.length > 0 || first.queue_id !== queue.id)
    throw new Error('The first frame says otherwise')
  return stream
}
