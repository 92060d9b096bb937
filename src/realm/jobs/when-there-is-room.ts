import { ServiceUnavailableError, StorageFullError } from '../../core/errors.ts'
import { isFull, isNearlyFull } from '../object-space.ts'
import type { JobHandler } from './change-by-job.ts'

/** Seconds after which a delivery is tried again for which there was no room. */
const NO_ROOM_RETRY_SECONDS = 60

/**
 * Returns a delivery that waits, however long, while there is no room for it in the object, in its database, or in the
 * tail of a database that is down, so that nothing accepted for a later time is lost. Such tries do not count.
 */
export function whenThereIsRoom(deliver: JobHandler): JobHandler {
  return (runtime, key) => {
    const later = runtime.now() + NO_ROOM_RETRY_SECONDS
    if (isNearlyFull(runtime)) return later
    const wait = (error: unknown) => {
      if (!lacksRoom(error)) throw error
      return later
    }
    try {
      const result = deliver(runtime, key)
      return result instanceof Promise ? result.catch(wait) : result
    } catch (error) {
      return wait(error)
    }
  }
}

export function lacksRoom(error: unknown): boolean {
  return error instanceof StorageFullError || error instanceof ServiceUnavailableError || isFull(error)
}
