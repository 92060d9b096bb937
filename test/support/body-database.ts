import { env } from 'cloudflare:workers'

/** The database for texts of new messages: `DB`, unless the run binds more (`BODY_DATABASES`). */
export const bodyDatabase: D1Database =
  [env.DB, env.SPARE_1, env.SPARE_2][Number(env.BODY_DATABASES ?? 0)] ?? env.DB
