import { beforeAll, beforeEach } from 'vitest'
import { world } from './world.ts'

/**
 * For files about what an object remembers while it is awake, or what waking costs: `npm run test:evict`
 * evicts none of theirs. Called before the file's own hooks.
 */
export function stayAwake(): void {
  const keepAwake = () => {
    world.evictable = false
  }
  beforeAll(keepAwake)
  beforeEach(keepAwake)
}
