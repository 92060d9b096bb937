import { applyD1Migrations, env } from 'cloudflare:test'
import { afterEach } from 'vitest'
import { type MetaWithAsked, takeAsked } from './asked-places.ts'
import { resetWorld } from './world.ts'

/** Test files share a workerd and its databases, where they are not isolated. */
const shared = globalThis as { isMigrated?: boolean }
if (!shared.isMigrated) {
  await applyD1Migrations(env.DB, env.TEST_MIGRATIONS)
  if (Number(env.BODY_DATABASES) > 0) {
    for (const spare of [env.SPARE_1, env.SPARE_2]) await applyD1Migrations(spare, env.TEST_MIGRATIONS)
  }
  if (env.D1 === 'shaky') await applyD1Migrations(env.DB_COPY, env.TEST_MIGRATIONS)
  shared.isMigrated = true
}
afterEach(resetWorld)
afterEach(({ task }) => {
  Object.assign(task.meta, { asked: takeAsked() } satisfies MetaWithAsked)
})
