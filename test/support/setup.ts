import { applyD1Migrations, env, runInDurableObject } from 'cloudflare:test'
import { afterAll, afterEach } from 'vitest'
import { realmStub } from './api.ts'
import { type MetaWithAsked, takeAsked } from './asked-places.ts'
import { takeBuiltRealms } from './factories.ts'
import { resetWorld } from './world.ts'

await applyD1Migrations(env.DB, env.TEST_MIGRATIONS)
afterEach(resetWorld)
afterEach(({ task }) => {
  Object.assign(task.meta, { asked: takeAsked() } satisfies MetaWithAsked)
})
// What an organization still has to do would call the stand-ins of other files: they share the isolate.
afterAll(async () => {
  await Promise.all(
    takeBuiltRealms().map((id) =>
      runInDurableObject(realmStub(id), (_, { storage }) => storage.deleteAlarm()),
    ),
  )
})
