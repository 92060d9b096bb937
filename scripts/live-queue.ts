import type { ApiClient, ParameterValue } from './api-client.ts'

/** An event as a client gets it. */
export interface LiveEvent {
  readonly id: number
  readonly type: string
  readonly [field: string]: unknown
}

/** An event queue that is polled without a pause, as by a client with an open window. */
export class LiveQueue {
  readonly #client: ApiClient
  readonly #queueId: string
  readonly #stopped = new AbortController()
  readonly #onEvent: (event: LiveEvent, at: number) => void
  #lastEventId: number
  #polling: Promise<void> | undefined
  /** The error that ended the polling. It is thrown when the queue is stopped. */
  #failure: unknown

  private constructor(
    client: ApiClient,
    queue: { queue_id: string; last_event_id: number },
    onEvent: (event: LiveEvent, at: number) => void,
  ) {
    this.#client = client
    this.#queueId = queue.queue_id
    this.#lastEventId = queue.last_event_id
    this.#onEvent = onEvent
  }

  /** Registers a queue and begins to poll. `onEvent` gets the moment of arrival too (`performance.now()`). */
  static async open(
    client: ApiClient,
    params: Record<string, ParameterValue>,
    onEvent: (event: LiveEvent, at: number) => void,
  ): Promise<LiveQueue> {
    const registered = await client.call<{ queue_id: string; last_event_id: number }>(
      'POST',
      '/register',
      params,
    )
    const queue = new LiveQueue(client, registered, onEvent)
    queue.#polling = queue.#poll()
    return queue
  }

  /**
   * Stops polling, then fetches the remaining events.
   * @throws {Error} the error that ended the polling earlier.
   */
  async stop(): Promise<void> {
    this.#stopped.abort()
    await this.#polling
    if (this.#failure !== undefined) throw this.#failure
    await this.#take({ dont_block: true })
  }

  async #poll(): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      try {
        await this.#take({})
      } catch (error) {
        if (this.#stopped.signal.aborted) return
        this.#failure = error
        return
      }
    }
  }

  async #take(params: { dont_block?: true }): Promise<void> {
    const signal = params.dont_block ? undefined : this.#stopped.signal
    const cursor = { queue_id: this.#queueId, last_event_id: this.#lastEventId }
    const { events } = await this.#client.call<{ events: LiveEvent[] }>(
      'GET',
      '/events',
      { ...cursor, ...params },
      signal,
    )
    const at = performance.now()
    for (const event of events) {
      if (event.id <= this.#lastEventId) throw new Error(`Event ${event.id} came after ${this.#lastEventId}`)
      this.#lastEventId = event.id
      if (event.type !== 'heartbeat') this.#onEvent(event, at)
    }
  }
}
