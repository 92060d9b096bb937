import { longestWindow, type RateLimit, secondsToWait } from '../../core/rate-limits.ts'
import { fromPrimary, writeOnce } from './ask-d1.ts'

/** Whose requests are counted together, as a digest, and their limits. */
export interface CountedMail {
  readonly owner: string
  readonly limits: readonly RateLimit[]
}

/**
 * Counts a request for mail for each owner. When there were too many for one of them, it counts for none, and returns the seconds to wait;
 * else 0. `now` in UNIX seconds.
 */
export async function countMailRequest(
  db: D1Database,
  counted: readonly CountedMail[],
  now: number,
): Promise<number> {
  const owners = counted.map(({ owner }) => owner)
  const bounds = counted.flatMap(({ owner, limits }) =>
    limits.map(({ requests, seconds }) => ({ owner, requests, since: now - seconds })),
  )
  // One statement, so that of many requests at once no more pass.
  const counting = db
    .prepare(
      `INSERT INTO mail_request (owner, asked_at)
       SELECT value, ?2 FROM json_each(?1)
       WHERE NOT EXISTS (
         SELECT 1 FROM json_each(?3) AS bound
         WHERE bound.value ->> 'requests' <= (
           SELECT count(*) FROM mail_request
           WHERE owner = bound.value ->> 'owner' AND asked_at > bound.value ->> 'since'))`,
    )
    .bind(JSON.stringify(owners), Math.floor(now), JSON.stringify(bounds))
  const { meta } = await writeOnce(() => counting.run())
  if (meta.changes > 0) return 0
  const waits = await Promise.all(counted.map((one) => waitOf(db, one, now)))
  // Where time has passed since.
  return Math.max(1, ...waits)
}

async function waitOf(db: D1Database, { owner, limits }: CountedMail, now: number): Promise<number> {
  const { results } = await fromPrimary(db, (from) =>
    from
      .prepare(
        `SELECT asked_at FROM mail_request WHERE owner = ? AND asked_at > ? ORDER BY asked_at DESC LIMIT ?`,
      )
      .bind(owner, now - longestWindow(limits), Math.max(...limits.map(({ requests }) => requests)))
      .all<{ asked_at: number }>(),
  )
  return secondsToWait(results.map(({ asked_at }) => asked_at).reverse(), limits, now)
}

/** Deletes what no limit looks back to any more. `before`: UNIX seconds. */
export async function deleteOldMailRequests(db: D1Database, before: number): Promise<void> {
  const removal = db.prepare(`DELETE FROM mail_request WHERE asked_at <= ?`).bind(Math.floor(before))
  await writeOnce(() => removal.run())
}
