import { writeOnce } from './d1-failure.ts'
import { readPatiently } from './read-patiently.ts'

const TICKET_VALID_SECONDS = 600

/**
 * Uses up a one-time ticket for founding an organization. False when there is none, or it is too old.
 * `digest` is the lower-case hex SHA-256 of the ticket; `now` in UNIX seconds.
 */
export async function useOrganizationTicket(db: D1Database, digest: string, now: number): Promise<boolean> {
  const removal = db
    .prepare(`DELETE FROM organization_ticket WHERE digest = ? RETURNING created_at`)
    .bind(digest)
  const { results } = await writeOnce(() => removal.run<{ created_at: number }>())
  const ticket = results[0]
  return ticket !== undefined && ticket.created_at > now - TICKET_VALID_SECONDS
}

/** Is this ticket valid? It stays so until it is too old. `digest`, `now`: as above. */
export async function isOrganizationTicket(db: D1Database, digest: string, now: number): Promise<boolean> {
  const query = db.prepare(`SELECT created_at FROM organization_ticket WHERE digest = ?`).bind(digest)
  const ticket = await readPatiently(() => query.first<{ created_at: number }>())
  return ticket !== null && ticket.created_at > now - TICKET_VALID_SECONDS
}
