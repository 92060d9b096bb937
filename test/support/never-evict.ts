import { beforeAll, beforeEach } from 'vitest'
import { world } from './world.ts'

/**
 * Keeps objects in memory between the requests of this file's tests, also in `npm run test:evict`. For files about the memory of an object,
 * or the cost of loading it again. Call it before the file's own hooks.
 */
export function neverEvict(): void {
  const keepAwake = () => {
    world.evictable = false
  }
  beforeAll(keepAwake)
  beforeEach(keepAwake)
}
