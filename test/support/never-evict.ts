import { beforeAll, beforeEach } from 'vitest'
import { world } from './world.ts'

/**
 * No object of this file's tests is evicted between requests, also in `npm run test:evict`. For files about what an object
 * remembers while it is in memory, or what it costs to load it again. To be called before the file's own hooks.
 */
export function neverEvict(): void {
  const keepAwake = () => {
    world.evictable = false
  }
  beforeAll(keepAwake)
  beforeEach(keepAwake)
}
