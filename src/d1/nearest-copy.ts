import { farTrip, nearTrip } from '../core/request-record.ts'
import { readPatiently } from './read-patiently.ts'

/**
 * A read that any copy of the database may answer: the nearest does, which may be some moments behind. Whoever reads so must be
 * able to tell whether the answer is too old, and ask `fromPrimary` then. Source: Cloudflare's documentation, D1 read replication.
 */
export function fromNearest<Answer>(
  db: D1Database,
  read: (copy: Pick<D1DatabaseSession, 'prepare'>) => Promise<Answer>,
): Promise<Answer> {
  return readPatiently(() => read(db.withSession('first-unconstrained')), nearTrip)
}

/** Asks the database itself, which has all that was written before, wherever it is. */
export function fromPrimary<Answer>(
  db: D1Database,
  read: (database: Pick<D1DatabaseSession, 'prepare'>) => Promise<Answer>,
): Promise<Answer> {
  return readPatiently(() => read(db), farTrip)
}
