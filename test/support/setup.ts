import { applyD1Migrations, env } from 'cloudflare:test'
import { afterEach } from 'vitest'
import { resetWorld } from './world.ts'

await applyD1Migrations(env.DB, env.TEST_MIGRATIONS)
afterEach(resetWorld)
