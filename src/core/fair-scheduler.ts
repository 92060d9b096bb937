import { WORK_WAITING } from './budgets.ts'
import type { RealmCall } from './call.ts'
import { retryLater } from './errors.ts'
import { clientNetwork } from './rate-limits.ts'
import { ownerOfRequest } from './request-record.ts'
import { TimeLimit, wait } from './within-time.ts'

/** Milliseconds after which a waiter checks again: the first soon, those behind it less often, so that few check at a time. */
const LOOK_MS = { first: 1, behind: 2, max: 1_000 } as const
/** Milliseconds by which a check may be late, or in the future, if no other waiter has checked; the clock may have been set. */
const LATE_MS = 2_000
const AHEAD_MS = 10_000
/** Milliseconds for which a place that is not waiting counts: a request whose client has gone never gives it back. */
const UNUSED_MS = 10_000
/** Number of other timers, set after a timer was due, that must fire before it counts as gone. */
const MISSED = 3
/** Number of owners beyond which those without pending turns are dropped. */
const MANY_OWNERS = 1_000

export interface FairQueueLimits {
  /** Places of all owners together. */
  readonly waiting: number
  /** Places of one owner. */
  readonly ofOne: number
}

/**
 * A timer that another request has set, and that does not fire once its client has gone. Timers fire in batches of all that were due when
 * the batch began. So a timer is gone if others fire that were set after it was due. The clock alone does not tell: all timers are late
 * while something blocks the thread.
 */
class TimerOfRequest {
  readonly due: number
  #missed = 0

  constructor(ms: number) {
    this.due = Date.now() + ms
  }

  /** Whether it is gone, as seen by a waiter whose own timer was set at `since` and has fired. */
  hasGone(since: number): boolean {
    const late = Date.now() - this.due
    if (late < -AHEAD_MS) return true
    if (since >= this.due) this.#missed += 1
    return this.#missed >= MISSED
  }

  /** Whether it is gone, even if no other waiter has checked. */
  get isLost(): boolean {
    const late = Date.now() - this.due
    return this.#missed >= MISSED || late < -AHEAD_MS || late > LATE_MS
  }
}

/** Takes the resource if it is free. `since`: when the timer from which the waiter wakes was set; 0 without one. */
type Take<Taken> = (since: number) => Taken | undefined

/** A place in a queue. It may have several turns, one after the other. */
export interface Place {
  /**
   * Calls `take` while it is this place's turn until it returns the resource, and returns that. `cost`: roughly the milliseconds that the
   * work will take.
   * @throws ServiceUnavailableError (503) when the time is over
   */
  wait<Taken>(cost: number, take: Take<Taken>, time?: TimeLimit): Promise<Taken>
  /** Gives the place up; calling it twice is harmless. */
  leave(): void
}

interface Waiter {
  readonly owner: string
  /** Virtual time at which it is served, in milliseconds of work (see FairQueue). */
  tag: number
  /** The timer of its next check; undefined while it is not waiting for a turn. */
  timer: TimerOfRequest | undefined
  /** Time left to a place that is not waiting for a turn. */
  unused: TimeLimit
}

/**
 * A bounded queue in which owners have equal shares: self-clocked fair queueing (Golestani, 1994). Each turn has a tag, which is the larger
 * of the owner's last tag and that of the turn served last, plus its cost, and the smallest tag is next. So one owner's hundred turns delay
 * another's first by one or two, and short turns do not wait for many long ones.
 *
 * Waiters poll with timers, since a request must not be resumed in the context of another that ends.
 */
export class FairQueue {
  readonly #limits: FairQueueLimits
  readonly #places = new Set<Waiter>()
  /** Places waiting for a turn, ordered by tag. */
  readonly #waiting: Waiter[] = []
  /** The last tag of each owner. */
  readonly #tags = new Map<string, number>()
  /** The tag of the turn served last. */
  #served = 0

  constructor(limits: FairQueueLimits) {
    this.#limits = limits
  }

  get isEmpty(): boolean {
    if (this.#places.size > 0) this.#forgetLost()
    return this.#places.size === 0
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /**
   * Gives a place. `isBegun`: for work that has begun, which is not refused, since its beginning was limited. `ofOne`: a smaller limit for
   * the owner's places.
   * @throws ServiceUnavailableError (503) if there are too many places, in total or of the owner.
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
        // Another waiter may have removed it as gone.
        if (!this.#waiting.includes(waiter)) this.#insert(waiter)
        const taken = this.#first(waiter, since) === waiter ? take(since) : undefined
        if (taken !== undefined) {
          this.#served = waiter.tag
          return taken
        }
        if (time?.isOver) throw retryLater()
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

  /** Inserts a waiter behind all with the same or smaller tags. */
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

  /** Returns the waiter whose turn is next, and removes those before it that are gone. `looker`: the waiter that asks. */
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
    if (!this.#hasRoom(owner, ofOne)) throw retryLater()
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

/** Roughly the milliseconds that any other piece of long work takes: its parts are limited accordingly. */
const PART_OF_WORK_MS = 10

/** Milliseconds of a pause when many wait, and longer pauses would waste most of the time. */
const SHORTEST_PAUSE_MS = 1

/** A piece of work that blocks the thread for more than a few milliseconds. */
export interface Work {
  /** The owner: an account, or a visitor's network. By default the current request's. */
  readonly owner?: string
  /** Roughly the milliseconds that it takes. */
  readonly ms?: number
  /** Milliseconds of rest before it if nobody else waits; a fraction if others do. */
  readonly rest?: number
}

/** A place at the gate, for work that must not be refused after something else was done. */
export interface ReservedSlices {
  /** Waits for a turn; the code up to the next real wait is one piece of work. */
  turn(work?: Omit<Work, 'owner'>): Promise<void>
  /** Gives the place up; calling it twice is harmless. */
  leave(): void
}

/**
 * The gate through which an isolate's long work goes, one piece at a time, in the order of a `FairQueue`.
 *
 * The runtime reads from the kernel and checks its timers only when none of its own events is ready. With several pieces of long work under
 * way one always is: then nothing is read for as long as they last, and all open connections time out. So each piece begins from a timer,
 * which makes the runtime check.
 *
 * A piece need not report its end: nothing else runs before it is done, and the next one begins from a later timer.
 */
export class FairScheduler {
  readonly #queue: FairQueue
  /** The timer of the turn that was given last; undefined once that turn has begun. */
  #next: TimerOfRequest | undefined

  constructor(limits: FairQueueLimits) {
    this.#queue = new FairQueue(limits)
  }

  get waiting(): number {
    return this.#queue.waiting
  }

  /**
   * Takes a place, which the caller must leave. `ofOne`: a smaller limit for the owner's places.
   * @throws ServiceUnavailableError (503) if too many wait.
   */
  reserve(owner = ownerOfRequest(), ofOne?: number): ReservedSlices {
    return this.#placeOf(owner, false, ofOne)
  }

  /** Waits for a turn; the code up to the next real wait is one piece of work. @throws ServiceUnavailableError (503) if too many wait. */
  turn(work: Work = {}): Promise<void> {
    return this.#turnOf(work, false)
  }

  /** Waits likewise for the next piece of work that has begun, which is not refused, since its beginning was limited. */
  nextSlice(work: Work = {}): Promise<void> {
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

  #placeOf(owner: string, isBegun: boolean, ofOne?: number): ReservedSlices {
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
    // The client whose turn it is may have gone.
    if (this.#next && !this.#next.hasGone(since)) return undefined
    const pause = rest === 0 ? 0 : Math.max(rest / this.#queue.waiting, SHORTEST_PAUSE_MS)
    const timer = new TimerOfRequest(pause)
    this.#next = timer
    return { timer, pause }
  }
}

export const fairScheduler = new FairScheduler(WORK_WAITING)

/** Returns the owner of a call's work, by its credentials. */
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

export function ownerAt(ip: string): string {
  return `network ${clientNetwork(ip)}`
}
