import { farTrip, nearTrip } from '../../core/request-record.ts'
import { readPatiently } from './d1-failure.ts'

/**
 * Makes a read that any copy of the database may answer; the nearest does, and may be some moments behind.
 * The caller must be able to recognize an outdated answer, and ask `fromPrimary` then. Source: Cloudflare's
 * documentation, D1 read replication.
 */
export function fromNearest<Answer>(
  db: D1Database,
  read: (copy: Pick<D1DatabaseSession, 'prepare'>) => Promise<Answer>,
): Promise<Answer> {
  return readPatiently(() => read(db.withSession('first-unconstrained')), nearTrip)
}

/** Makes a read of the primary, which has all earlier writes, wherever it is. */
export function fromPrimary<Answer>(
  db: D1Database,
  read: (database: Pick<D1DatabaseSession, 'prepare'>) => Promise<Answer>,
): Promise<Answer> {
  return readPatiently(() => read(db), farTrip)
}
