import { driftOf } from '../../web/actions/compare-state.ts'
import type { Api } from '../../web/api/index.ts'
import {
  applyEvents,
  type ChatState,
  createState,
  REGISTER_OPTIONS,
  type WireEvent,
} from '../../web/state/index.ts'
import { expectSuccess, type TestUser } from './factories.ts'

/** A client with the page's state. It can miss events, as a broken one does. */
export class FollowedState {
  readonly #user: TestUser
  #state!: ChatState
  #cursor!: { queueId: string; lastEventId: number }

  constructor(user: TestUser) {
    this.#user = user
  }

  async register(): Promise<this> {
    const snapshot = expectSuccess(await this.#user.api.post('/register', REGISTER_OPTIONS))
    this.#cursor = { queueId: snapshot.queue_id, lastEventId: snapshot.last_event_id }
    this.#state = createState(snapshot as Parameters<typeof createState>[0])
    return this
  }

  /** Applies the events so far, except for those of a type that it misses. */
  async catchUp(missed?: string): Promise<void> {
    const { queueId: queue_id, lastEventId: last_event_id } = this.#cursor
    const { events } = expectSuccess(
      await this.#user.api.get('/events', { queue_id, last_event_id, dont_block: true }),
    ) as { events: WireEvent[] }
    if (events.length > 0) this.#cursor.lastEventId = Number(events.at(-1)!.id)
    applyEvents(
      this.#state,
      events.filter(({ type }) => type !== missed),
      Date.now(),
    )
  }

  /** Returns the sections in which its state is not the server's. */
  drift(): Promise<readonly string[]> {
    const get = async (path: string, params = {}) => expectSuccess(await this.#user.api.get(path, params))
    return driftOf({ get } as Pick<Api, 'get'>, this.#state, this.#cursor)
  }
}
