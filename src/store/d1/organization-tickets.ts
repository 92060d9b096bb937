import { readPatiently, writeOnce } from './d1-failure.ts'

/** A ticket that a request presents. */
export interface PresentedTicket {
  /** Lower-case hex SHA-256 of the ticket. */
  readonly digest: string
  /**
   * Host of the organization that it is presented for: a ticket names one host, and is valid for no other.
   */
  readonly host: string
}

/**
 * Uses up a one-time ticket for founding an organization. Returns false when there is none for this host, or
 * it is too old. `now` in UNIX seconds.
 */
export async function useOrganizationTicket(
  db: D1Database,
  { digest, host }: PresentedTicket,
  now: number,
): Promise<boolean> {
  const removal = db
    .prepare(
      `DELETE FROM organization_ticket WHERE digest = ? AND host = ? RETURNING created_at + valid_seconds AS until`,
    )
    .bind(digest, host)
  const { results } = await writeOnce(() => removal.run<{ until: number }>())
  const ticket = results[0]
  return ticket !== undefined && ticket.until > now
}

/** Whether this ticket is valid; using it is not part of the check. `now` in UNIX seconds. */
export async function isOrganizationTicket(
  db: D1Database,
  { digest, host }: PresentedTicket,
  now: number,
): Promise<boolean> {
  const query = db
    .prepare(
      `SELECT created_at + valid_seconds AS until FROM organization_ticket WHERE digest = ? AND host = ?`,
    )
    .bind(digest, host)
  const ticket = await readPatiently(() => query.first<{ until: number }>())
  return ticket !== null && ticket.until > now
}

/** Deletes unused tickets that are too old. `now` in UNIX seconds. */
export async function deleteOldTickets(db: D1Database, now: number): Promise<void> {
  const removal = db
    .prepare(`DELETE FROM organization_ticket WHERE created_at + valid_seconds <= ?`)
    .bind(Math.floor(now))
  await writeOnce(() => removal.run())
}
