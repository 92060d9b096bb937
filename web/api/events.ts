import { backoff } from './browser-api.ts'
import { takeEarly } from './early.ts'
import { ApiError, NetworkError, SessionEndedError } from './errors.ts'
import type { ApiEvent, Cursor, EventSource } from './event-source.ts'
import { afterTime, type Socket, streamingSource } from './event-stream.ts'
import { type Api, delayBefore } from './request.ts'

/** State of the connection, as the page shows it. Times in milliseconds. */
export type Connection = Waiting | NotWaiting

/** No answer, or one that asks for a retry: retried at `until`, or when `retry` is called. `said`: what the server answers. */
interface Waiting {
  readonly kind: 'waiting'
  readonly until: number
  readonly said: string | undefined
}

type NotWaiting = { readonly said?: undefined } & (
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  /** The browser says that there is no network. */
  | { readonly kind: 'offline' }
  /** The user has to log in again; then `resume`. */
  | { readonly kind: 'session ended' }
  /** The organization is closed, or a retry would not help. */
  | {
      readonly kind: 'stopped'
      readonly reason: 'organization closed' | 'refused'
      readonly error?: ApiError
    }
)

// biome-ignore lint/suspicious/noExplicitAny: the state knows its form
type RegisterAnswer = any

export interface EventLoopOptions {
  readonly api: Api
  /** Parameters of POST /register. */
  readonly register: Readonly<Record<string, unknown>>
  /** Takes the first registration, or a new one after the queue was lost: everything may have changed. */
  onSnapshot(snapshot: RegisterAnswer): void
  /** Takes events in order, each once. They count as seen when this returns. */
  onEvents(events: readonly ApiEvent[]): void
  onConnection(connection: Connection): void
  /** The source of events; polls by default. */
  readonly source?: EventSource
  /** Opens a WebSocket for the events, which come by polls without one. */
  readonly openSocket?: (cursor: Cursor) => Socket
}

/** Milliseconds after the server's own limit of a poll, after which it counts as unreachable. */
const POLL_SLACK_MS = 10_000
const DEFAULT_POLL_SECONDS = 90

/**
 * Registers a queue and passes on its events until it is stopped. It never gives up: a lost connection is retried with growing pauses; a lost
 * queue is registered anew; an ended session, of which any request may learn, waits for `resume`. The cursor moves when events have been
 * passed on, so none is lost and none is passed on twice.
 */
export class EventLoop {
  readonly #options: EventLoopOptions
  readonly #source: EventSource
  #cursor: Cursor | undefined
  #connection: Connection = { kind: 'connecting' }
  #pollMs = DEFAULT_POLL_SECONDS * 1_000 + POLL_SLACK_MS
  #stopped = new AbortController()
  /** Ends the current poll, or pause. */
  #step = new AbortController()
  #isRunning = false

  constructor(options: EventLoopOptions) {
    this.#options = options
    const { openSocket, api } = options
    const poll = pollingSource(api, () => this.#pollMs)
    const { now } = api.browserApi
    api.session.onEnded = () => {
      this.stop()
      this.#say({ kind: 'session ended' })
    }
    this.#source =
      options.source ??
      (openSocket ? streamingSource({ open: openSocket, poll, now, after: afterTime }) : poll)
  }

  get connection(): Connection {
    return this.#connection
  }

  /** Resolves when it is stopped, or waits for a login. */
  async run(): Promise<void> {
    if (this.#isRunning) return
    this.#isRunning = true
    this.#stopped = new AbortController()
    // After a failure the first answer must come at once, with or without events.
    let isFresh = true
    let failures = 0
    try {
      while (!this.#stopped.signal.aborted) {
        try {
          if (!this.#cursor) {
            await this.#register()
            isFresh = false
          } else {
            await this.#poll(isFresh)
            isFresh = false
          }
          failures = 0
        } catch (error) {
          isFresh = true
          if (this.#stopped.signal.aborted) return
          // Woken up: repeated at once.
          if (this.#step.signal.aborted && error instanceof NetworkError) continue
          failures += 1
          if (!(await this.#recover(error, failures))) return
        }
      }
    } finally {
      this.#isRunning = false
    }
  }

  /** Continues after a login as the same person. */
  resume(): void {
    void this.run()
  }

  stop(): void {
    this.#stopped.abort()
    this.#step.abort()
  }

  /**
   * Retries at once: the network is back, the page is visible again, the computer has woken up. A waiting poll may be on a dead connection,
   * and nothing else would show that.
   */
  retry(): void {
    this.#step.abort()
  }

  /** Registers anew, as after the loss of the queue: the state is not the server's any more. */
  renew(): void {
    this.#cursor = undefined
    this.#step.abort()
  }

  /** The cursor, for requests that are repeated after a reload; undefined before the first registration. */
  get cursor(): Cursor | undefined {
    return this.#cursor
  }

  async #register(): Promise<void> {
    this.#say({ kind: 'connecting' })
    const { api, register, onSnapshot } = this.#options
    const signal = this.#newStep()
    const early = takeEarly()
    const snapshot = await (early
      ? untilAborted(early, signal)
      : api.post('/register', register, { signal, patience: 0 }))
    const seconds = Number(snapshot.event_queue_longpoll_timeout_seconds)
    if (seconds > 0) this.#pollMs = seconds * 1_000 + POLL_SLACK_MS
    onSnapshot(snapshot)
    this.#cursor = { queueId: snapshot.queue_id, lastEventId: snapshot.last_event_id }
    this.#say({ kind: 'live' })
  }

  async #poll(mayBeEmpty: boolean): Promise<void> {
    const cursor = this.#cursor!
    const events = await this.#source(cursor, { signal: this.#newStep(), mayBeEmpty })
    this.#say({ kind: 'live' })
    const fresh = events.filter(({ id }) => id > cursor.lastEventId)
    if (fresh.length === 0) return
    this.#options.onEvents(fresh)
    if (this.#cursor === cursor) this.#cursor = { ...cursor, lastEventId: fresh.at(-1)!.id }
    if (fresh.some(({ type, op }) => type === 'realm' && op === 'deactivated')) {
      this.#say({ kind: 'stopped', reason: 'organization closed' })
      this.stop()
    }
  }

  /** Waits for the next try. False: there is none. */
  async #recover(error: unknown, failures: number): Promise<boolean> {
    const { wait, now, random, isOnline } = this.#options.api.browserApi
    if (error instanceof SessionEndedError) {
      this.#options.api.session.end()
      return false
    }
    if (error instanceof ApiError && error.code === 'BAD_EVENT_QUEUE_ID') {
      this.#cursor = undefined
      return true
    }
    if (error instanceof ApiError && error.isRefusal) {
      this.#say({ kind: 'stopped', reason: 'refused', error })
      return false
    }
    if (!(error instanceof ApiError) && !(error instanceof NetworkError)) throw error
    const delay = Math.max(delayBefore(error, failures, random) ?? 0, backoff(failures, random))
    const said = error instanceof ApiError ? error.message : undefined
    this.#say(isOnline() ? { kind: 'waiting', until: now() + delay, said } : { kind: 'offline' })
    await wait(delay, this.#newStep())
    return true
  }

  #newStep(): AbortSignal {
    this.#step = new AbortController()
    if (this.#stopped.signal.aborted) this.#step.abort()
    return this.#step.signal
  }

  #say(connection: Connection): void {
    const isSame = connection.kind === this.#connection.kind && connection.kind !== 'waiting'
    this.#connection = connection
    if (!isSame) this.#options.onConnection(connection)
  }
}

/** Returns events by GET /events, which the server holds until something happens. */
function pollingSource(api: Api, timeout: () => number): EventSource {
  return async ({ queueId, lastEventId }, { signal, mayBeEmpty }) => {
    const params = { queue_id: queueId, last_event_id: lastEventId, dont_block: mayBeEmpty }
    const { events } = await api.get('/events', params, { signal, patience: 0, timeout: timeout() })
    return events
  }
}

/** Resolves like the answer, unless the signal aborts first: the request was made without the signal. */
function untilAborted(answer: Promise<RegisterAnswer>, signal: AbortSignal): Promise<RegisterAnswer> {
  return new Promise((resolve, reject) => {
    answer.then(resolve, reject)
    signal.addEventListener('abort', () => reject(new NetworkError('given up')))
  })
}
