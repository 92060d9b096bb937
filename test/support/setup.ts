import { applyD1Migrations, env } from 'cloudflare:test'
import { afterAll, afterEach, expect } from 'vitest'
import { handOver } from '../recording/record.ts'
import { countAnew } from './factories.ts'
import { type MetaWithRoutes, takeRequestedRoutes } from './requested-routes.ts'
import './quick-pool.ts'
import { resetWorld, world } from './world.ts'

/** Runs before each test file. Files share a workerd and its databases unless they are isolated. */
const shared = globalThis as { isMigrated?: boolean }
if (!shared.isMigrated) {
  await applyD1Migrations(env.DB, env.TEST_MIGRATIONS)
  const isShaky = env.D1 === 'shaky'
  const further = Number(env.BODY_DATABASES) > 0
  const bound = [
    ...(further ? [env.SPARE_1, env.SPARE_2, env.SPARE_3] : []),
    ...(isShaky ? [env.DB_COPY] : []),
    ...(isShaky && further ? [env.SPARE_1_COPY, env.SPARE_2_COPY, env.SPARE_3_COPY] : []),
  ]
  for (const db of bound) await applyD1Migrations(db, env.TEST_MIGRATIONS)
  shared.isMigrated = true
}
countAnew()
world.lastOfEndedFiles = (await env.DB.prepare('SELECT max(id) AS id FROM realm').first('id')) ?? 0
afterEach(resetWorld)
// The differences are kept, so that a retried test hides none.
afterEach(() => expect(world.memoryDiffers).toEqual([]))
afterEach(({ task }) => {
  Object.assign(task.meta, { requested: takeRequestedRoutes() } satisfies MetaWithRoutes)
})
afterEach(handOver)
afterAll(handOver)
