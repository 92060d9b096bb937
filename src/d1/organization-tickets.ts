import { writeOnce } from './d1-failure.ts'
import { readPatiently } from './read-patiently.ts'

const TICKET_VALID_SECONDS = 600

/** A ticket that somebody shows. */
export interface ShownTicket {
  /** Lower-case hex SHA-256 of the ticket. */
  readonly digest: string
  /** Of the organization that it is shown for: a ticket names one, and is good for no other. */
  readonly host: string
}

/**
 * Uses up a one-time ticket for founding an organization. False when there is none for this host, or it is too
 * old. `now` in UNIX seconds.
 */
export async function useOrganizationTicket(
  db: D1Database,
  { digest, host }: ShownTicket,
  now: number,
): Promise<boolean> {
  const removal = db
    .prepare(`DELETE FROM organization_ticket WHERE digest = ? AND host = ? RETURNING created_at`)
    .bind(digest, host)
  const { results } = await writeOnce(() => removal.run<{ created_at: number }>())
  const ticket = results[0]
  return ticket !== undefined && ticket.created_at > now - TICKET_VALID_SECONDS
}

/** Is this ticket valid? It stays so until it is too old. `now` in UNIX seconds. */
export async function isOrganizationTicket(
  db: D1Database,
  { digest, host }: ShownTicket,
  now: number,
): Promise<boolean> {
  const query = db
    .prepare(`SELECT created_at FROM organization_ticket WHERE digest = ? AND host = ?`)
    .bind(digest, host)
  const ticket = await readPatiently(() => query.first<{ created_at: number }>())
  return ticket !== null && ticket.created_at > now - TICKET_VALID_SECONDS
}

/** Those that nobody has used. `now` in UNIX seconds. */
export async function deleteOldTickets(db: D1Database, now: number): Promise<void> {
  const removal = db
    .prepare(`DELETE FROM organization_ticket WHERE created_at <= ?`)
    .bind(Math.floor(now) - TICKET_VALID_SECONDS)
  await writeOnce(() => removal.run())
}
