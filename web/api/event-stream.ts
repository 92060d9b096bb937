import { NetworkError } from './errors.ts'
import type { ApiEvent, Cursor, EventSource } from './event-source.ts'
import { fromJson } from './json.ts'

/** The part of WebSocket that is used. */
export interface Socket {
  send(text: string): void
  close(): void
  onmessage: ((message: MessageEvent) => void) | null
  onclose: ((end: CloseEvent) => void) | null
}

export interface StreamingOptions {
  /** Opens a socket at `events` of the API with this cursor. */
  open(cursor: Cursor): Socket
  /** Polls, for everything that a stream cannot deliver. */
  readonly poll: EventSource
  /** Milliseconds. */
  now(): number
  /** Calls `act` later, as setTimeout does; returns a function that cancels it. */
  after(ms: number, act: () => void): () => void
}

/**
 * Milliseconds between pings. The server closes streams after ten minutes of silence; networks in between drop them sooner.
 */
const PING_MS = 50_000
const PONG_MS = 10_000
const OPENING_MS = 10_000
/** Milliseconds, or characters, between two acknowledgements in busy times. */
const ACKNOWLEDGE_MS = 1_000
const ACKNOWLEDGE_CHARACTERS = 100_000
/** The close code for events that are too long for a socket. */
const TOO_LONG = 4001
/**
 * Milliseconds below which the lifetime of a stream counts as a failure: some networks block sockets, or cut them at once.
 */
const SHORT_LIFE_MS = 5_000
const FAILURES = 3
const POLLS_AFTER_FAILURES_MS = 300_000

/**
 * Returns events over a WebSocket that stays open, and by polls without one. A stream gives at most a number as the reason of its end, so a
 * poll that does not wait always follows. The caller has the cursor, so nothing is lost in between. docs/event-stream.md has the protocol.
 */
export function streamingSource(options: StreamingOptions): EventSource {
  let stream: EventStream | undefined
  let failures = 0
  let pollUntil = 0

  const end = (isLeft: boolean) => {
    if (stream && !isLeft && stream.lifetime < SHORT_LIFE_MS) failures += 1
    else failures = 0
    if (failures >= FAILURES) {
      failures = 0
      pollUntil = options.now() + POLLS_AFTER_FAILURES_MS
    }
    stream?.close()
    stream = undefined
  }

  return async (cursor, { signal, mayBeEmpty }) => {
    if (mayBeEmpty || options.now() < pollUntil) {
      stream?.close()
      stream = undefined
      return options.poll(cursor, { signal, mayBeEmpty })
    }
    if (stream?.queueId !== cursor.queueId) {
      stream?.close()
      stream = new EventStream(options, cursor)
    }
    const current = stream
    const leave = () => current.close()
    signal.addEventListener('abort', leave)
    try {
      if (signal.aborted) throw new NetworkError('aborted')
      current.acknowledge(cursor.lastEventId)
      const events = await current.next()
      if (events) return events
    } finally {
      signal.removeEventListener('abort', leave)
    }
    end(signal.aborted)
    if (signal.aborted) throw new NetworkError('aborted')
    return options.poll(cursor, { signal, mayBeEmpty: current.code !== TOO_LONG })
  }
}

class EventStream {
  readonly queueId: string
  /** The code with which it was closed. */
  code: number | undefined
  readonly #options: StreamingOptions
  readonly #socket: Socket
  readonly #began: number
  readonly #came: ApiEvent[] = []
  #acknowledged: { id: number; at: number }
  #charactersSince = 0
  #isOver = false
  #wake: () => void = () => {}
  #stopTimer: () => void

  constructor(options: StreamingOptions, cursor: Cursor) {
    this.#options = options
    this.queueId = cursor.queueId
    this.#began = options.now()
    this.#acknowledged = { id: cursor.lastEventId, at: this.#began }
    this.#socket = options.open(cursor)
    this.#socket.onmessage = ({ data }) => this.#hear(String(data))
    this.#socket.onclose = ({ code }) => {
      this.code ??= code
      this.close()
    }
    this.#stopTimer = options.after(OPENING_MS, () => this.close())
  }

  /** Milliseconds. */
  get lifetime(): number {
    return this.#options.now() - this.#began
  }

  /** Returns the received events, at least one; undefined when it is over and all have been taken. */
  async next(): Promise<readonly ApiEvent[] | undefined> {
    while (this.#came.length === 0 && !this.#isOver) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    return this.#came.length > 0 ? this.#came.splice(0) : undefined
  }

  /** Acknowledges all events up to this id, which have been handled. */
  acknowledge(id: number): void {
    const now = this.#options.now()
    const isDue =
      now - this.#acknowledged.at >= ACKNOWLEDGE_MS || this.#charactersSince >= ACKNOWLEDGE_CHARACTERS
    if (id <= this.#acknowledged.id || !isDue || this.#isOver) return
    this.#acknowledged = { id, at: now }
    this.#charactersSince = 0
    this.#socket.send(JSON.stringify({ last_event_id: id }))
  }

  close(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#stopTimer()
    this.#socket.close()
    this.#wake()
  }

  #hear(text: string): void {
    if (this.#isOver) return
    this.#stayAlive()
    if (text === 'pong') return
    this.#charactersSince += text.length
    this.#came.push(...fromJson<{ events: ApiEvent[] }>(text).events)
    this.#wake()
  }

  /** Records that the server is reachable. After a quiet minute it gets a ping, and has to answer. */
  #stayAlive(): void {
    this.#stopTimer()
    this.#stopTimer = this.#options.after(PING_MS, () => {
      this.#socket.send('ping')
      this.#stopTimer = this.#options.after(PONG_MS, () => this.close())
    })
  }
}

/** Opens a socket. `base`: of the API, from the page's own address. */
export function browserSocket(base: string, { queueId, lastEventId }: Cursor): Socket {
  const fields = new URLSearchParams({ queue_id: queueId, last_event_id: String(lastEventId) })
  const url = new URL(`${base}/events?${fields}`, document.baseURI)
  url.protocol = url.protocol.replace('http', 'ws')
  return new WebSocket(url)
}

/** Acts after a time; returns a function that cancels it. */
export function afterTime(ms: number, act: () => void): () => void {
  const timer = setTimeout(act, ms)
  return () => clearTimeout(timer)
}
