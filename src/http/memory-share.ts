import { comeAgain } from '../core/errors.ts'
import { hostOfRequest } from '../core/request-record.ts'
import { TimeLimit } from '../core/time-limit.ts'
import {
  DECODED_PICTURE,
  MIN_SHARE,
  PART_OF_ONE_ORGANIZATION,
  PICTURE_COPIES,
  WAITING_FOR_SHARES,
  WORKER_SHARES,
} from '../core/worker-budgets.ts'

/** Milliseconds after which a share is free again: a request whose client has gone may never end. */
const MAX_MS = 60_000
const LOOK_MS = 15

interface Share {
  readonly bytes: number
  readonly time: TimeLimit
  /** Host that the request was sent to; '' without one, which has no limit of its own. */
  readonly owner: string
}

/** A request that waits for a share. */
interface Waiter {
  readonly needed: Needed
  readonly time: TimeLimit
  readonly owner: string
}

/** Bytes that are needed; they may turn out to be fewer while a request waits. */
export type Needed = number | (() => number)

function bytesOf(needed: Needed): number {
  return typeof needed === 'number' ? needed : needed()
}

/** Gives a share back; calling it twice does no harm. */
export type GiveBack = () => void

/**
 * Memory that requests of one isolate share, each for as long as it needs it. Requests of one organization
 * have at most a part of it, and the organization with the smallest share is served next, so that a busy one
 * does not keep others waiting.
 */
export class SharedMemory {
  readonly #bytes: number
  readonly #ofOne: number
  readonly #shares = new Set<Share>()
  /** Requests that wait for a share, first come first. */
  readonly #waiting = new Set<Waiter>()

  /** @param part of it that one organization may have. */
  constructor(bytes: number, part = PART_OF_ONE_ORGANIZATION) {
    this.#bytes = bytes
    this.#ofOne = Math.floor(bytes * part)
  }

  /** Takes a share and returns how to give it back, or undefined when there is not enough. */
  take(bytes: number, owner = hostOfRequest()): GiveBack | undefined {
    const taken = this.#taken()
    if (taken.all + bytes > this.#bytes || this.#isTooMuch(taken.of(owner) + bytes, owner)) return undefined
    const share = { bytes, time: new TimeLimit(MAX_MS), owner }
    this.#shares.add(share)
    return () => this.#shares.delete(share)
  }

  /**
   * Takes a share when its turn comes: at once, if no waiting request could take one. A need larger than the
   * whole gets all of it alone.
   * @throws ServiceUnavailableError (503) when too many wait already, or it takes too long.
   */
  async wait(needed: Needed): Promise<GiveBack> {
    const owner = hostOfRequest()
    this.#forgetGone()
    const waiter: Waiter = { needed, time: new TimeLimit(WAITING_FOR_SHARES.milliseconds), owner }
    const { all, own } = this.#waitingBeside(owner)
    const atOnce = own === 0 && !this.#next() ? this.#takeFor(waiter) : undefined
    if (atOnce) return atOnce
    const isOver = all >= WAITING_FOR_SHARES.requests || (owner !== '' && own >= WAITING_FOR_SHARES.ofOne)
    if (isOver) throw comeAgain()
    this.#waiting.add(waiter)
    try {
      // Waiting polls by the clock: a request must not continue in the context of another that ends.
      for (;;) {
        await scheduler.wait(LOOK_MS)
        this.#forgetGone()
        if (!this.#waiting.has(waiter)) throw comeAgain()
        const taken = this.#next() === waiter ? this.#takeFor(waiter) : undefined
        if (taken) return taken
      }
    } finally {
      this.#waiting.delete(waiter)
    }
  }

  /**
   * Returns the next waiting request: the first one of the organization with the smallest share, among those
   * that may have more. Smaller needs of others do not overtake it.
   */
  #next(): Waiter | undefined {
    const taken = this.#taken()
    const seen = new Set<string>()
    let next: Waiter | undefined
    for (const waiter of this.#waiting) {
      if (seen.has(waiter.owner)) continue
      seen.add(waiter.owner)
      const own = taken.of(waiter.owner)
      if (this.#isTooMuch(own + this.#bytesFor(waiter), waiter.owner)) continue
      if (!next || own < taken.of(next.owner)) next = waiter
    }
    return next
  }

  #takeFor(waiter: Waiter): GiveBack | undefined {
    return this.take(this.#bytesFor(waiter), waiter.owner)
  }

  #bytesFor({ needed, owner }: Waiter): number {
    return Math.min(bytesOf(needed), owner === '' ? this.#bytes : this.#ofOne)
  }

  #isTooMuch(bytes: number, owner: string): boolean {
    return owner !== '' && bytes > this.#ofOne
  }

  /** Bytes that are taken, without those of requests that never ended. */
  #taken(): { readonly all: number; of(owner: string): number } {
    const byOwner = new Map<string, number>()
    let all = 0
    for (const share of this.#shares) {
      if (share.time.isOver) {
        this.#shares.delete(share)
        continue
      }
      all += share.bytes
      byOwner.set(share.owner, (byOwner.get(share.owner) ?? 0) + share.bytes)
    }
    return { all, of: (owner) => byOwner.get(owner) ?? 0 }
  }

  #waitingBeside(owner: string): { readonly all: number; readonly own: number } {
    let own = 0
    for (const waiter of this.#waiting) if (waiter.owner === owner) own += 1
    return { all: this.#waiting.size, own }
  }

  /**
   * Forgets waiting requests whose time is up, and those that check no more because their clients have gone.
   */
  #forgetGone(): void {
    for (const waiter of this.#waiting) if (waiter.time.isOver) this.#waiting.delete(waiter)
  }
}

/** The memory for bodies, parts of files and answers. */
export const workerMemory = new SharedMemory(WORKER_SHARES)

/** The memory for decoding, one picture after the other. */
export const pictureMemory = new SharedMemory(DECODED_PICTURE, 1)

/** The part of the memory for copies of pictures that are held only for the cache: nobody waits for them. */
const pictureCopies = new SharedMemory(PICTURE_COPIES)

/** Takes room for a copy of a picture that is being sent, if there is any. */
export function takeForCopy(bytes: number): GiveBack | undefined {
  const ofCopies = pictureCopies.take(bytes)
  const ofAll = ofCopies && workerMemory.take(bytes)
  if (!ofAll) ofCopies?.()
  return (
    ofAll &&
    (() => {
      ofCopies?.()
      ofAll()
    })
  )
}

/** Waits for a share of the memory. Small needs take none. @throws ServiceUnavailableError (503) */
export async function waitForMemory(needed: Needed): Promise<GiveBack> {
  return bytesOf(needed) < MIN_SHARE ? () => {} : workerMemory.wait(needed)
}

/** The memory that one request holds while it is served. */
export class RequestMemory {
  readonly #shares: GiveBack[] = []

  /** @throws ServiceUnavailableError (503) */
  async add(bytes: number): Promise<void> {
    this.#shares.push(await waitForMemory(bytes))
  }

  giveBack(): void {
    for (const giveBack of this.#shares.splice(0)) giveBack()
  }
}

/** Runs `work`, and gives back all that it has added, however it ends. */
export async function holdingMemory<R>(work: (memory: RequestMemory) => Promise<R>): Promise<R> {
  const memory = new RequestMemory()
  try {
    return await work(memory)
  } finally {
    memory.giveBack()
  }
}

/** Returns a response that holds a share until it has been sent, or its reader is gone. */
export function holdUntilSent(response: Response, giveBack: GiveBack): Response {
  if (!response.body) {
    giveBack()
    return response
  }
  const reader = response.body.getReader()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (!done) return controller.enqueue(value)
        giveBack()
        controller.close()
      } catch (error) {
        giveBack()
        controller.error(error)
      }
    },
    async cancel(reason) {
      giveBack()
      await reader.cancel(reason)
    },
  })
  return new Response(body, response)
}
