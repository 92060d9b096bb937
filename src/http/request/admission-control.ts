import { FREE_OF_SHARE, ISOLATE, PARTS_OF_SHARES, WAITING_FOR_SHARES } from '../../core/budgets.ts'
import { retryLater } from '../../core/errors.ts'
import type { ArrivingMemory } from '../../core/files.ts'
import { type MemoryOwner, memoryOwner } from '../../core/request-record.ts'
import { TimeLimit } from '../../core/within-time.ts'

/** Milliseconds that a large answer waits for its reader to take more; then it breaks off. */
const SLOWEST_READER_MS = 60_000

/** Milliseconds without activity after which a share is freed: a request whose client has gone may never end. */
const MAX_MS = 60_000
const LOOK_MS = 15

interface Share {
  readonly owner: MemoryOwner
  bytes: number
  time: TimeLimit
  /** Whether it is for a body that is still arriving. */
  isArriving: boolean
}

/** A request waiting for its share to reach this many bytes. */
interface Waiter {
  readonly share: Share
  readonly needed: Needed
  readonly time: TimeLimit
}

/** Bytes needed; they may turn out to be fewer while a request waits. */
export type Needed = number | (() => number)

function bytesOf(needed: Needed): number {
  return typeof needed === 'number' ? needed : needed()
}

/** Releases a share; calling it twice is harmless. */
export interface Release {
  (): void
  /** Says that the share is still needed. */
  renew(): void
}

/** Fractions of the memory. */
interface Parts {
  readonly organization: number
  readonly account: number
  readonly arriving: number
  readonly strangers: number
}

/** The combined shares of a group of requests. */
interface Group {
  bytes: number
  /** The first share, which the group's limit does not bind. */
  readonly first: Share
}

type Groups = ReadonlyMap<string, Group>

/**
 * Memory shared by the requests of one isolate, each for as long as it needs it. Requests of one organization, of one account, and bodies
 * still arriving may each have only part of it, and the organization with the smallest share is served next, so that a busy one or a slow
 * client does not keep others waiting.
 */
export class SharedMemory {
  readonly #bytes: number
  readonly #parts: Parts
  /** In starting order. */
  readonly #shares = new Set<Share>()
  /** Requests that wait, first come first. */
  readonly #waiting = new Set<Waiter>()

  constructor(bytes: number, parts: Partial<Parts> = {}) {
    this.#bytes = bytes
    this.#parts = {
      organization: PARTS_OF_SHARES.organization,
      account: 1,
      arriving: 1,
      strangers: 1,
      ...parts,
    }
  }

  /** Takes a share and returns the function that releases it, or undefined if there is not enough. */
  async take(bytes: number): Promise<Release | undefined> {
    const share = await this.#newShare(false)
    return this.#give(share, bytes) ? this.#release(share) : undefined
  }

  /**
   * Takes a share, in order of arrival: at once if no waiting request could take one. A need larger than the whole gets all of it alone.
   * @throws ServiceUnavailableError (503) when too many wait already, or it takes too long
   */
  async wait(needed: Needed): Promise<Release> {
    const share = await this.#newShare(false)
    await this.#waitFor(share, needed)
    return this.#release(share)
  }

  /** Returns memory for a body, at first empty. */
  arriving(): ArrivingMemory {
    let share: Share | undefined
    const own = async () => {
      share ??= await this.#newShare(true)
      return share
    }
    const held = () => (share && this.#shares.has(share) ? share.bytes : 0)
    return {
      get bytes() {
        return held()
      },
      hold: async (bytes) => {
        if (bytes > held()) await this.#waitFor(await own(), bytes)
      },
      holdAtOnce: async (bytes) => bytes <= held() || this.#give(await own(), bytes),
      renew() {
        if (share) share.time = new TimeLimit(MAX_MS)
      },
      arrived() {
        if (share) share.isArriving = false
      },
      release: () => {
        if (share) this.#shares.delete(share)
      },
    }
  }

  async #newShare(isArriving: boolean): Promise<Share> {
    return { owner: await memoryOwner(), bytes: 0, time: new TimeLimit(MAX_MS), isArriving }
  }

  #release(share: Share): Release {
    return Object.assign(() => void this.#shares.delete(share), {
      renew() {
        share.time = new TimeLimit(MAX_MS)
      },
    })
  }

  async #waitFor(share: Share, needed: Needed): Promise<void> {
    this.#forgetGone()
    const waiter: Waiter = { share, needed, time: new TimeLimit(WAITING_FOR_SHARES.milliseconds) }
    const isOver = this.#isQueueFull(share)
    this.#waiting.add(waiter)
    try {
      if (this.#isNext(waiter)) return
      if (isOver) throw retryLater()
      // Waiters poll by timer: a request must not continue in the context of another that ends.
      for (;;) {
        await scheduler.wait(LOOK_MS)
        this.#forgetGone()
        if (!this.#waiting.has(waiter)) throw retryLater()
        if (this.#isNext(waiter)) return
      }
    } finally {
      this.#waiting.delete(waiter)
    }
  }

  #isNext(waiter: Waiter): boolean {
    return this.#next() === waiter && this.#give(waiter.share, this.#bytesFor(waiter))
  }

  /**
   * Returns the next waiting request: the first of the organization with the smallest share, among those that may have more. Smaller
   * requests of others do not overtake it, unless it waits for slow clients or for its own account.
   */
  #next(): Waiter | undefined {
    const groups = this.#groups()
    const heldBy = ({ share }: Waiter) => groups.get(organizationOf(share))?.bytes ?? 0
    const seen = new Set<string>()
    let next: Waiter | undefined
    for (const waiter of this.#waiting) {
      const { share } = waiter
      const bytes = this.#bytesFor(waiter)
      if (!this.#isWithinParts(share, bytes, groups) || seen.has(share.owner.organization)) continue
      seen.add(share.owner.organization)
      if (!this.#isWithinOrganization(share, bytes, groups)) continue
      if (!next || heldBy(waiter) < heldBy(next)) next = waiter
    }
    return next
  }

  /** Raises a share to this many bytes, if the limits allow. */
  #give(share: Share, bytes: number): boolean {
    this.#forgetOver()
    const groups = this.#groups()
    const others = (groups.get(ALL)?.bytes ?? 0) - this.#heldBy(share)
    if (others + bytes > this.#bytes || !this.#isWithinOrganization(share, bytes, groups)) return false
    if (!this.#isWithinParts(share, bytes, groups)) return false
    share.bytes = bytes
    share.time = new TimeLimit(MAX_MS)
    this.#shares.add(share)
    return true
  }

  #bytesFor({ needed, share }: Waiter): number {
    const part = share.owner.organization === '' ? 1 : this.#parts.organization
    return Math.min(bytesOf(needed), Math.floor(this.#bytes * part))
  }

  #heldBy(share: Share): number {
    return this.#shares.has(share) ? share.bytes : 0
  }

  #isWithinOrganization(share: Share, bytes: number, groups: Groups): boolean {
    if (share.owner.organization === '') return true
    const others = (groups.get(organizationOf(share))?.bytes ?? 0) - this.#heldBy(share)
    return others + bytes <= Math.floor(this.#bytes * this.#parts.organization)
  }

  /** Whether the limits allow the share this many bytes; the first share of a group may exceed that of the group. */
  #isWithinParts(share: Share, bytes: number, groups: Groups): boolean {
    return partsOf(share).every(([name, part]) => {
      const group = groups.get(name)
      if (!group || group.first === share) return true
      return group.bytes - this.#heldBy(share) + bytes <= this.#bytes * this.#parts[part]
    })
  }

  #groups(): Groups {
    const groups = new Map<string, Group>()
    for (const share of this.#shares) {
      for (const name of [ALL, organizationOf(share), ...partsOf(share).map(([one]) => one)]) {
        const group = groups.get(name)
        if (group) group.bytes += share.bytes
        else groups.set(name, { bytes: share.bytes, first: share })
      }
    }
    return groups
  }

  #isQueueFull({ owner, isArriving }: Share): boolean {
    const among = (isOne: (waiter: Waiter) => boolean) => [...this.#waiting].filter(isOne).length
    if (this.#waiting.size >= WAITING_FOR_SHARES.requests) return true
    if (owner.organization === '') return false
    const isStranger = isArriving && !owner.isAccepted
    return (
      among(({ share }) => share.owner.organization === owner.organization) >= WAITING_FOR_SHARES.ofOne ||
      (owner.account !== '' &&
        among(({ share }) => share.owner.account === owner.account) >= WAITING_FOR_SHARES.ofAccount) ||
      (isStranger &&
        among(({ share }) => share.isArriving && !share.owner.isAccepted) >= WAITING_FOR_SHARES.ofAccount)
    )
  }

  /** Frees the shares of requests that never ended. */
  #forgetOver(): void {
    for (const share of this.#shares) if (share.time.isOver) this.#shares.delete(share)
  }

  /** Forgets waiting requests that timed out, or stopped checking because their clients have gone. */
  #forgetGone(): void {
    this.#forgetOver()
    for (const waiter of this.#waiting) if (waiter.time.isOver) this.#waiting.delete(waiter)
  }
}

/** Names of groups. */
const ALL = 'all'
function organizationOf({ owner }: Share): string {
  return `organization ${owner.organization}`
}

function partsOf({ owner, isArriving }: Share): (readonly [name: string, part: keyof Parts])[] {
  return [
    ...(owner.account === '' ? [] : [[`account ${owner.account}`, 'account'] as const]),
    ...(isArriving ? [['arriving', 'arriving'] as const] : []),
    ...(isArriving && !owner.isAccepted ? [['strangers', 'strangers'] as const] : []),
  ]
}

/** The memory for bodies, parts of files and answers. */
export const workerMemory = new SharedMemory(ISOLATE.shares, PARTS_OF_SHARES)

/** The part of the memory for copies of pictures that only the cache needs: no request waits for them. */
const pictureCopies = new SharedMemory(ISOLATE.copies)

/** Reserves room for a copy of a picture being sent, if there is any. */
export async function takeForCopy(bytes: number): Promise<(() => void) | undefined> {
  const ofCopies = await pictureCopies.take(bytes)
  const ofAll = ofCopies && (await workerMemory.take(bytes))
  if (!ofAll) ofCopies?.()
  return (
    ofAll &&
    (() => {
      ofCopies?.()
      ofAll()
    })
  )
}

/** Waits for a share of the memory. Small requests need none. @throws ServiceUnavailableError (503) */
export async function waitForMemory(needed: Needed): Promise<Release | undefined> {
  return bytesOf(needed) < FREE_OF_SHARE.answer ? undefined : workerMemory.wait(needed)
}

/** Runs `work`, and releases in any case the memory that it holds for the request. */
export async function holdingMemory<R>(work: (memory: ArrivingMemory) => Promise<R>): Promise<R> {
  const memory = workerMemory.arriving()
  try {
    return await work(memory)
  } finally {
    memory.release()
  }
}

/**
 * Returns a response that holds a share until it has been sent, or its reader is gone, or takes nothing for too long: then it breaks off,
 * since the unsent rest would stay in memory.
 */
export function holdUntilSent(response: Response, release: Release): Response {
  if (!response.body) {
    release()
    return response
  }
  const reader = response.body.getReader()
  let idle: ReturnType<typeof setTimeout> | undefined
  const end = () => {
    clearTimeout(idle)
    release()
  }
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      clearTimeout(idle)
      release.renew()
      try {
        const { done, value } = await reader.read()
        if (done) {
          end()
          return controller.close()
        }
        controller.enqueue(value)
        idle = setTimeout(() => {
          end()
          const error = new Error('The reader takes nothing')
          controller.error(error)
          reader.cancel(error).catch(() => {})
        }, SLOWEST_READER_MS)
      } catch (error) {
        end()
        controller.error(error)
      }
    },
    async cancel(reason) {
      end()
      await reader.cancel(reason)
    },
  })
  return new Response(body, response)
}
