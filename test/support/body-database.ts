import { applyD1Migrations } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { world } from './world.ts'

const DATABASES = [env.DB, env.SPARE_1, env.SPARE_2, env.SPARE_3]

/** The database for texts of new messages: `DB`, unless the run binds more (`BODY_DATABASES`). */
export const bodyDatabase: D1Database = DATABASES[Number(env.BODY_DATABASES ?? 0)] ?? env.DB

/** Binds one more database, for objects that wake from now on, and returns it. */
export async function bindNextDatabase(): Promise<D1Database> {
  const next = DATABASES[world.bodyDatabases + 1]!
  await applyD1Migrations(next, env.TEST_MIGRATIONS)
  world.bodyDatabases += 1
  return next
}
