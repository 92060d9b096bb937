import { WORK_WAITING } from './budgets.ts'
import type { RealmCall } from './call.ts'
import { clientNetwork } from './client-network.ts'
import { FairQueue, type FairQueueLimits, TimerOfRequest } from './fair-queue.ts'
import { ownerOfRequest } from './request-record.ts'
import { wait } from './within-time.ts'

/** Milliseconds that a piece of other long work takes, roughly: what it is made of has a limit for that. */
const PART_OF_WORK_MS = 10

/** Milliseconds of a pause where so many wait that they would otherwise stand still for most of the time. */
const SHORTEST_PAUSE_MS = 1

/** A piece of work that holds the thread for more than some milliseconds. */
export interface Work {
  /** Whose work it is: an account, or the network of a visitor without one (core/work-gate.ts). By default that of the present request. */
  readonly owner?: string
  /** Milliseconds that it takes, roughly. */
  readonly ms?: number
  /** Milliseconds of rest before it, if nobody else waits; a part of them if others do. */
  readonly rest?: number
}

/** A place at the gate, for work that must not be refused any more once something else was done. */
export interface PlaceAtGate {
  /** Waits for a turn; what follows, up to the next `await` of something that is not there yet, is one piece of work. */
  turn(work?: Omit<Work, 'owner'>): Promise<void>
  /** Gives the place up; calling it twice does no harm. */
  leave(): void
}

/**
 * The gate through which an isolate's long work goes, one piece at a time, in the order of a `FairQueue`.
 *
 * The runtime asks the kernel for what has arrived, and looks at its timers, only when none of its own events is ready. With several
 * pieces of long work under way one always is: then nothing is read for as long as they last, and connections that are open end all
 * together. So each piece begins from a timer, for which the runtime has to look.
 *
 * A piece has no end to report, and cannot hold the gate: nothing else runs before it is done, and the next one begins from a timer after it.
 */
export class WorkGate {
  readonly #queue: FairQueue
  /** The timer from which the turn begins that was given last; undefined once it has begun. */
  #next: TimerOfRequest | undefined

  constructor(limits: FairQueueLimits) {
    this.#queue = new FairQueue(limits)
  }

  /** Number of pieces that wait. */
  get waiting(): number {
    return this.#queue.waiting
  }

  /**
   * Takes a place, to be left in the end. `ofOne`: a smaller limit of the owner's places.
   * @throws ServiceUnavailableError (503) when too many wait.
   */
  reserve(owner = ownerOfRequest(), ofOne?: number): PlaceAtGate {
    return this.#placeOf(owner, false, ofOne)
  }

  /**
   * Waits for a turn; what follows, up to the next `await` of something that is not there yet, is one piece of work.
   * @throws ServiceUnavailableError (503) when too many wait.
   */
  turn(work: Work = {}): Promise<void> {
    return this.#turnOf(work, false)
  }

  /** Does the same for the next piece of work that has begun, which is not refused: what began it has a limit of its own. */
  nextTurn(work: Work = {}): Promise<void> {
    return this.#turnOf(work, true)
  }

  async #turnOf({ owner = ownerOfRequest(), ...work }: Work, isBegun: boolean): Promise<void> {
    const place = this.#placeOf(owner, isBegun)
    try {
      await place.turn(work)
    } finally {
      place.leave()
    }
  }

  #placeOf(owner: string, isBegun: boolean, ofOne?: number): PlaceAtGate {
    const place = this.#queue.enter(owner, isBegun, ofOne)
    return {
      leave: place.leave,
      turn: async ({ ms = PART_OF_WORK_MS, rest = 0 } = {}) => {
        const { timer, pause } = await place.wait(ms, (since) => this.#take(rest, since))
        await wait(pause)
        if (this.#next === timer) this.#next = undefined
      },
    }
  }

  #take(rest: number, since: number): { readonly timer: TimerOfRequest; readonly pause: number } | undefined {
    // The client of a request whose turn it is may have gone.
    if (this.#next && !this.#next.hasGone(since)) return undefined
    const pause = rest === 0 ? 0 : Math.max(rest / this.#queue.waiting, SHORTEST_PAUSE_MS)
    const timer = new TimerOfRequest(pause)
    this.#next = timer
    return { timer, pause }
  }
}

/** The gate of this isolate. */
export const workGate = new WorkGate(WORK_WAITING)

/** Returns whose work a call is, for `Work.owner`: the account's, once the organization has accepted its credentials. */
export function ownerOfCall({
  host,
  credentials,
  source,
}: Pick<RealmCall, 'host' | 'credentials' | 'source'>): string {
  switch (credentials.kind) {
    case 'basic':
      return `${host} ${credentials.email}`
    case 'bot key':
      return `${host} ${credentials.apiKey}`
    case 'session':
    case 'scim':
      return `${host} ${credentials.digest}`
    case 'trusted':
      return `${host} ${credentials.userId}`
    case 'none':
      return ownerAt(source.ip)
  }
}

/** Returns whose work it is for a visitor without an account. */
export function ownerAt(ip: string): string {
  return `network ${clientNetwork(ip)}`
}
