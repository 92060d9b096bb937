import { WORK_WAITING } from './budgets.ts'
import type { RealmCall } from './call.ts'
import { clientNetwork } from './client-network.ts'
import { comeAgain } from './errors.ts'
import { ownerOfRequest } from './request-record.ts'
import { TimeLimit, wait } from './within-time.ts'

/** Milliseconds after which a waiter looks again: the first soon, those behind it less often, so that few look at a time. */
const LOOK_MS = { first: 1, behind: 2, max: 1_000 } as const
/** Milliseconds by which a look may be late, or ahead, where nobody else has looked; the clock may also have been set. */
const LATE_MS = 2_000
const AHEAD_MS = 10_000
/** Milliseconds for which a place counts that does not wait for a turn yet: a request whose client has gone never gives it back. */
const UNUSED_MS = 10_000
/** Number of looks of others, all of which were set when a timer was due, after which it will not fire any more. */
const MISSED = 3
/** Owners from which on those are forgotten who have had all their turns. */
const MANY_OWNERS = 1_000

export interface FairQueueLimits {
  /** Places of all owners together. */
  readonly waiting: number
  /** Places of one owner. */
  readonly ofOne: number
}

/**
 * A timer that another request has set, and that does not fire once its client has gone. Timers fire in batches, each of which has all that
 * were due when it began. So a timer has gone if others fire that were set when it was due. The clock alone does not tell: all timers are
 * late while something holds the thread.
 */
class TimerOfRequest {
  readonly due: number
  #missed = 0

  constructor(ms: number) {
    this.due = Date.now() + ms
  }

  /** Whether it has gone, as is seen by someone whose own timer was set at `since` and has fired. */
  hasGone(since: number): boolean {
    const late = Date.now() - this.due
    if (late < -AHEAD_MS) return true
    if (since >= this.due) this.#missed += 1
    return this.#missed >= MISSED
  }

  /** Whether it has gone, where nobody may have looked. */
  get isLost(): boolean {
    const late = Date.now() - this.due
    return this.#missed >= MISSED || late < -AHEAD_MS || late > LATE_MS
  }
}

/** Takes what is waited for, if it is free. `since`: time at which the timer was set that the waiter comes from; 0 without one. */
type Take<Taken> = (since: number) => Taken | undefined

/** A place in a queue. It may have several turns, one after the other. */
export interface Place {
  /**
   * Calls `take` while it is this place's turn, until it has taken what is waited for, and returns that. `cost`: milliseconds that its work
   * will take, roughly.
   * @throws ServiceUnavailableError (503) when the time is over
   */
  wait<Taken>(cost: number, take: Take<Taken>, time?: TimeLimit): Promise<Taken>
  /** Gives the place up; calling it twice does no harm. */
  leave(): void
}

interface Waiter {
  readonly owner: string
  /** Time at which it would be served, in milliseconds of work (see FairQueue). */
  tag: number
  /** The timer of its next look; undefined while it does not wait for a turn. */
  timer: TimerOfRequest | undefined
  /** Time that is left to a place that does not wait for a turn. */
  unused: TimeLimit
}

/**
 * A bounded queue in which owners have equal shares: self-clocked fair queueing (Golestani, 1994). Each turn has a tag, which is the larger
 * of the owner's last tag and that of the turn served last, plus its cost, and the smallest tag is next. So one owner's hundred turns delay
 * another's first by one or two, and short turns do not wait for many long ones.
 *
 * Waiting polls by the clock, since a request must not continue in the context of another that ends.
 */
export class FairQueue {
  readonly #limits: FairQueueLimits
  readonly #places = new Set<Waiter>()
  /** Places that wait for a turn, by their tags. */
  readonly #waiting: Waiter[] = []
  /** Last tag of each owner. */
  readonly #tags = new Map<string, number>()
  /** Tag of the turn that was served last. */
  #served = 0

  constructor(limits: FairQueueLimits) {
    this.#limits = limits
  }

  /** Whether nobody has a place. */
  get isEmpty(): boolean {
    if (this.#places.size > 0) this.#forgetLost()
    return this.#places.size === 0
  }

  /** Number of places that wait for a turn. */
  get waiting(): number {
    return this.#waiting.length
  }

  /**
   * Gives a place. `isBegun`: of work that has begun, which is not refused: what began it has a limit of its own. `ofOne`: a smaller number
   * of the owner's places.
   * @throws ServiceUnavailableError (503) when there are too many, in all or of the owner.
   */
  enter(owner: string, isBegun = false, ofOne = this.#limits.ofOne): Place {
    if (!isBegun) this.#requireRoom(owner, ofOne)
    const waiter: Waiter = { owner, tag: 0, timer: undefined, unused: new TimeLimit(UNUSED_MS) }
    this.#places.add(waiter)
    return {
      wait: (cost, take, time) => this.#wait(waiter, cost, take, time),
      leave: () => {
        this.#places.delete(waiter)
      },
    }
  }

  async #wait<Taken>(
    waiter: Waiter,
    cost: number,
    take: Take<Taken>,
    time: TimeLimit | undefined,
  ): Promise<Taken> {
    waiter.tag = this.#nextTag(waiter.owner, cost)
    try {
      for (let since = 0; ; ) {
        // Others may have taken it for lost.
        if (!this.#waiting.includes(waiter)) this.#insert(waiter)
        const taken = this.#first(waiter, since) === waiter ? take(since) : undefined
        if (taken !== undefined) {
          this.#served = waiter.tag
          return taken
        }
        if (time?.isOver) throw comeAgain()
        const ms = Math.min(LOOK_MS.first + LOOK_MS.behind * this.#waiting.indexOf(waiter), LOOK_MS.max)
        waiter.timer = new TimerOfRequest(ms)
        since = Date.now()
        await wait(ms)
      }
    } finally {
      this.#remove(waiter)
      waiter.timer = undefined
      waiter.unused = new TimeLimit(UNUSED_MS)
    }
  }

  #nextTag(owner: string, cost: number): number {
    if (this.#tags.size >= MANY_OWNERS) {
      for (const [each, tag] of this.#tags) if (tag <= this.#served) this.#tags.delete(each)
    }
    const tag = Math.max(this.#tags.get(owner) ?? 0, this.#served) + cost
    this.#tags.set(owner, tag)
    return tag
  }

  /** Inserts a waiter behind all whose tags are not larger. */
  #insert(waiter: Waiter): void {
    this.#places.add(waiter)
    let at = this.#waiting.length
    while (at > 0 && this.#waiting[at - 1]!.tag > waiter.tag) at -= 1
    this.#waiting.splice(at, 0, waiter)
  }

  #remove(waiter: Waiter): void {
    const at = this.#waiting.indexOf(waiter)
    if (at >= 0) this.#waiting.splice(at, 1)
  }

  /** Returns whose turn is next, and forgets those before it that have gone. `looker`: who asks, and is there. */
  #first(looker: Waiter, since: number): Waiter | undefined {
    for (let first = this.#waiting[0]; first !== looker && first?.timer?.hasGone(since); ) {
      this.#waiting.shift()
      this.#places.delete(first)
      first = this.#waiting[0]
    }
    return this.#waiting[0]
  }

  /** @throws ServiceUnavailableError (503) */
  #requireRoom(owner: string, ofOne: number): void {
    if (this.#hasRoom(owner, ofOne)) return
    this.#forgetLost()
    if (!this.#hasRoom(owner, ofOne)) throw comeAgain()
  }

  #hasRoom(owner: string, ofOne: number): boolean {
    if (this.#places.size >= this.#limits.waiting) return false
    let own = 0
    for (const place of this.#places) if (place.owner === owner) own += 1
    return own < ofOne
  }

  #forgetLost(): void {
    for (const place of this.#places) {
      const isLost = place.timer ? place.timer.isLost : place.unused.isOver
      if (!isLost) continue
      this.#places.delete(place)
      this.#remove(place)
    }
  }
}

/** Milliseconds that a piece of other long work takes, roughly: what it is made of has a limit for that. */
const PART_OF_WORK_MS = 10

/** Milliseconds of a pause where so many wait that they would otherwise stand still for most of the time. */
const SHORTEST_PAUSE_MS = 1

/** A piece of work that holds the thread for more than some milliseconds. */
export interface Work {
  /** Whose work it is: an account, or the network of a visitor without one. By default that of the present request. */
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
