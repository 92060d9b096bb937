import { beforeAll, beforeEach } from 'vitest'
import { world } from './world.ts'

/**
 * Keeps objects in memory between the requests of this file's tests, also in `npm run test:evict`. For files about what an
 * object remembers while it is in memory, or what loading it again costs. To be called before the file's own hooks.
 */
export function neverEvict(): void {
  const keepAwake = () => {
    world.evictable = false
  }
  beforeAll(keepAwake)
  beforeEach(keepAwake)
}
