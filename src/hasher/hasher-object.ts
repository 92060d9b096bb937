import { DurableObject, RpcTarget } from 'cloudflare:workers'
import { ServiceUnavailableError } from '../core/errors.ts'
import { fairScheduler, type ReservedSlices } from '../core/fair-scheduler.ts'
import { hashPassword, verifyPassword } from './password-hash.ts'

/**
 * Hashes passwords for all organizations, since the platform's free plan gives a request of the Worker 10 ms of processor time, and an
 * object 30 s. It stores nothing. Its methods are the same for Workers of all builds.
 */
export class HasherObject extends DurableObject {
  /** Takes a place at the gate for work of this owner; null if too much work waits there. */
  reserve(owner: string): PlaceInHasher | null {
    try {
      return new PlaceInHasher(fairScheduler.reserve(owner))
    } catch (error) {
      if (error instanceof ServiceUnavailableError) return null
      throw error
    }
  }

  /** Returns the hash of a password; null if too much work waits. */
  async hash(owner: string, password: string): Promise<string | null> {
    using place = this.reserve(owner)
    return place ? await place.hash(password) : null
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
