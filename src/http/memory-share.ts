import {
  DECODED_PICTURE,
  PICTURE_COPIES,
  SMALLEST_SHARE,
  WAITING_FOR_SHARES,
  WORKER_SHARES,
} from '../core/budgets.ts'
import { comeAgain } from '../core/errors.ts'

/** A request whose client has gone is never ended: what it took is free again after this. */
const LONGEST_MS = 60_000
const LOOK_MS = 15

interface Share {
  readonly bytes: number
  /** UNIX milliseconds. */
  readonly until: number
}

/** What is needed may turn out to be less while one waits. In bytes. */
export type Needed = number | (() => number)

function bytesOf(needed: Needed): number {
  return typeof needed === 'number' ? needed : needed()
}

/** Gives a share back; more than once does no harm. */
export type GiveBack = () => void

/** What requests of one isolate share, each for as long as it needs it. */
export class SharedMemory {
  readonly #bytes: number
  readonly #shares = new Set<Share>()
  /** Those who wait for a share, the first first: what one needs is not taken by those who need less. */
  readonly #waiting = new Set<Pick<Share, 'until'>>()

  constructor(bytes: number) {
    this.#bytes = bytes
  }

  /** Answers how to give the share back, or undefined when there is not enough. */
  take(bytes: number, now = Date.now()): GiveBack | undefined {
    let taken = 0
    for (const share of this.#shares) {
      if (share.until <= now) this.#shares.delete(share)
      else taken += share.bytes
    }
    if (taken + bytes > this.#bytes) return undefined
    const share = { bytes, until: now + LONGEST_MS }
    this.#shares.add(share)
    return () => this.#shares.delete(share)
  }

  /**
   * Takes a share when its turn comes: at once, if nobody waits. What is larger than all there is has it alone.
   * @throws ServiceUnavailableError (503) when too many wait already, or it takes too long.
   */
  async wait(needed: Needed): Promise<GiveBack> {
    const now = Date.now()
    this.#forgetGone(now)
    const atOnce = this.#waiting.size === 0 ? this.#takeNeeded(needed) : undefined
    if (atOnce) return atOnce
    if (this.#waiting.size >= WAITING_FOR_SHARES.requests) throw comeAgain()
    const waiter = { until: now + WAITING_FOR_SHARES.milliseconds }
    this.#waiting.add(waiter)
    try {
      // It is looked at by the clock: a request that ends must not go on with the work of another.
      for (;;) {
        await scheduler.wait(LOOK_MS)
        this.#forgetGone(Date.now())
        if (!this.#waiting.has(waiter)) throw comeAgain()
        const [first] = this.#waiting
        const taken = first === waiter ? this.#takeNeeded(needed) : undefined
        if (taken) return taken
      }
    } finally {
      this.#waiting.delete(waiter)
    }
  }

  #takeNeeded(needed: Needed): GiveBack | undefined {
    return this.take(Math.min(bytesOf(needed), this.#bytes))
  }

  /** Those whose time is up, and those whose clients have gone and who look no more. */
  #forgetGone(now: number): void {
    for (const waiter of this.#waiting) if (waiter.until <= now) this.#waiting.delete(waiter)
  }
}

/** For bodies, parts of files and answers. */
export const workerMemory = new SharedMemory(WORKER_SHARES)

/** For decoding, one picture after the other. */
export const pictureMemory = new SharedMemory(DECODED_PICTURE)

/** Of that, for copies of pictures that are held only so that they can be kept: nobody waits for them. */
const pictureCopies = new SharedMemory(PICTURE_COPIES)

/** Room for a copy of a picture that is on its way, if there is any. */
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

/** What is small takes no share. @throws ServiceUnavailableError (503) */
export async function waitForMemory(needed: Needed): Promise<GiveBack> {
  return bytesOf(needed) < SMALLEST_SHARE ? () => {} : workerMemory.wait(needed)
}

/** What one request holds while it is served. */
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

/** Gives back what `work` has added, however it ends. */
export async function holdingMemory<R>(work: (memory: RequestMemory) => Promise<R>): Promise<R> {
  const memory = new RequestMemory()
  try {
    return await work(memory)
  } finally {
    memory.giveBack()
  }
}

/** A response that holds a share until it has been sent, or nobody wants it any more. */
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
