import { DurableObject, RpcTarget } from 'cloudflare:workers'
import { ServiceUnavailableError } from '../core/errors.ts'
import { fairScheduler, type ReservedSlices } from '../core/fair-scheduler.ts'
import { hashPassword, verifyPassword } from './password-hash.ts'
import { type PictureEnvironment, type PicturePlace, waitForPlace } from './picture-place.ts'

/**
 * Hashes passwords and draws pictures for all organizations, since the platform's free plan gives a request of the Worker 10 ms of processor
 * time, and an object 30 s. It stores nothing. Its methods are the same for Workers of all builds.
 */
export class HasherObject extends DurableObject<PictureEnvironment> {
  /** Takes a place at the gate for work of this owner; null if too much work waits there. */
  async reserve(owner: string): Promise<PlaceInHasher | null> {
    return unlessBusy(async () => new PlaceInHasher(fairScheduler.reserve(owner)))
  }

  /** Takes the place where pictures are drawn, once it is this owner's turn; null if too many wait. */
  reservePicture(owner: string): Promise<PicturePlace | null> {
    return unlessBusy(() => waitForPlace(owner, this.env))
  }

  /** Returns the hash of a password; null if too much work waits. */
  async hash(owner: string, password: string): Promise<string | null> {
    using place = await this.reserve(owner)
    return place ? await place.hash(password) : null
  }
}

async function unlessBusy<Place>(take: () => Promise<Place>): Promise<Place | null> {
  try {
    return await take()
  } catch (error) {
    if (error instanceof ServiceUnavailableError) return null
    throw error
  }
}

/** A place at the gate. The platform disposes of it when the Worker has, or when its request has ended. */
class PlaceInHasher extends RpcTarget {
  readonly #slices: ReservedSlices

  constructor(slices: ReservedSlices) {
    super()
    this.#slices = slices
  }

  hash(password: string): Promise<string> {
    return hashPassword(password, this.#slices)
  }

  verify(password: string, stored: string | null): Promise<boolean> {
    return verifyPassword(password, stored, this.#slices)
  }

  [Symbol.dispose](): void {
    this.#slices.leave()
  }
}
