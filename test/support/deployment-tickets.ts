import { env } from 'cloudflare:test'
import { sha256Hex } from './sha256.ts'

/** Writes a ticket for a host into D1, as the commands of the operator do. */
export async function ticketFor(host: string): Promise<string> {
  const ticket = crypto.randomUUID()
  const now = Math.floor(Date.now() / 1_000)
  await env.DB.prepare('INSERT INTO organization_ticket (digest, created_at, host) VALUES (?, ?, ?)')
    .bind(await sha256Hex(ticket), now, host)
    .run()
  return ticket
}
