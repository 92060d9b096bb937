import type { Json } from '../support/json.ts'

export type Params = Readonly<Record<string, unknown>>

/** One account of an organization on the local server, with the requests that it makes. */
export interface Person {
  readonly id: number
  readonly email: string
  readonly fullName: string
  readonly apiKey: string
  /** Returns any answer, as long as it is declared. */
  request(method: string, path: string, params?: Params): Promise<{ status: number; body: Json }>
  /** Posts one file as a browser does; a field `method` chooses another method. */
  postFile(path: string, file: File, fields?: Readonly<Record<string, string>>): Promise<Json>
  /** The same account at another client, which may declare a level. */
  using(userAgent: string, level?: number): Person
}

/** An account that can be closed and reopened. */
export interface ReopenablePerson extends Person {
  /** Gets the key that the account has now. */
  logInAgain(): Promise<void>
}

/** The body of a success. */
export function requireSuccess({ status, body }: { status: number; body: Json }, what: string): Json {
  if (status !== 200 || body.result !== 'success') {
    throw new Error(`${what}: expected success, got ${status} ${JSON.stringify(body)}`)
  }
  return body
}

/** Makes a call that must succeed; returns its answer. */
export async function succeed(person: Person, method: string, path: string, params?: Params): Promise<Json> {
  return requireSuccess(await person.request(method, path, params), `${method} ${path} of ${person.fullName}`)
}

/** An event queue as a client keeps it. GET /events declares the form of events. */
export class ClientQueue {
  readonly person: Person
  readonly id: string
  #lastEventId: number

  constructor(person: Person, snapshot: Json) {
    this.person = person
    this.id = snapshot.queue_id
    this.#lastEventId = snapshot.last_event_id
  }

  /** Returns the present events; with `wait`, waits for the next ones. */
  async events({ wait = false } = {}): Promise<Json[]> {
    const { events } = await succeed(this.person, 'GET', '/events', {
      queue_id: this.id,
      last_event_id: this.#lastEventId,
      ...(wait ? {} : { dont_block: true }),
    })
    for (const event of events) {
      if (event.id <= this.#lastEventId) throw new Error(`Event ${event.id} came after ${this.#lastEventId}`)
      this.#lastEventId = event.id
    }
    return events
  }

  async end(): Promise<void> {
    await succeed(this.person, 'DELETE', '/events', { queue_id: this.id })
  }
}
