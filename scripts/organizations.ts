/** Makes organizations through the front door, as anyone who may write the account's D1 can. */
import { createHash, randomBytes } from 'node:crypto'

export interface NewOrganization {
  name: string
  /** The host name it answers at; `localhost` stands for every loopback address. */
  host: string
  owner: { email: string; full_name: string; password: string }
  /** The platform's hint for where its object is to be; by default where its founder is. */
  location?: string
  /** `eu` or `fedramp`: where the deployment is kept in it. */
  jurisdiction?: string
}

export interface CreatedOrganization {
  realm_id: number
  user_id: number
  email: string
  api_key: string
}

/**
 * @param url the server's address, without a slash at the end.
 * @param writeTicket runs one SQL statement on the server's D1: the proof that we may.
 * @throws {Error} with the server's own words when it refuses.
 */
export async function createOrganization(
  url: string,
  writeTicket: (sql: string) => Promise<unknown>,
  organization: NewOrganization,
): Promise<CreatedOrganization> {
  const ticket = randomBytes(32).toString('hex')
  await writeTicket(ticketStatement(ticket, organization.host))
  const response = await fetch(`${url}/setup/organizations`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ticket, ...organization }),
  })
  return (await readAnswer(response)) as CreatedOrganization
}

/** Programs use a ticket at once; people open a link when they have read on. */
const TICKET_SECONDS = 600
const LINK_SECONDS = 7 * 86_400

/**
 * Only the digest is stored: whoever reads the database cannot use the ticket. It is valid for so long, and for
 * this host alone.
 */
export function ticketStatement(ticket: string, host: string, seconds = TICKET_SECONDS): string {
  const digest = createHash('sha256').update(ticket).digest('hex')
  const createdAt = Math.floor(Date.now() / 1000)
  return `INSERT INTO organization_ticket (digest, host, created_at, valid_seconds)
    VALUES ('${digest}', '${quotable(host)}', ${createdAt}, ${seconds})`
}

/**
 * A link with which somebody makes the organization at this server, once, within a week.
 * @param url as in `createOrganization`; `host`, `writeTicket` too.
 */
export async function makeSetUpLink(
  url: string,
  host: string,
  writeTicket: (sql: string) => Promise<unknown>,
): Promise<string> {
  const ticket = randomBytes(32).toString('hex')
  await writeTicket(ticketStatement(ticket, host, LINK_SECONDS))
  return `${url}/setup/${ticket}`
}

/** @throws {Error} when it is no host name: it becomes a part of a statement. */
function quotable(host: string): string {
  const name = host.toLowerCase()
  if (!/^[a-z0-9.-]+$/.test(name)) throw new Error(`${host} is no host name`)
  return name
}

/** Does an organization answer at this host name? */
export async function organizationExists(url: string): Promise<boolean> {
  const response = await fetch(`${url}/api/v1/server_settings`, { signal: AbortSignal.timeout(10_000) })
  const body = (await response.json()) as { result: string; msg: string }
  if (body.result === 'success') return true
  if (body.msg === 'Invalid subdomain') return false
  throw new Error(`${url} answered ${response.status}: ${body.msg}`)
}

/**
 * The body of a success.
 * @throws {Error} with what was asked and the server's `msg`, or the beginning of what it sent instead.
 */
export async function readAnswer(response: Response): Promise<unknown> {
  const text = await response.text()
  let body: { result?: string; msg?: string }
  try {
    body = JSON.parse(text)
  } catch {
    throw new Error(`${response.url} answered ${response.status}: ${text.slice(0, 300)}`)
  }
  if (body.result !== 'success') throw new Error(`${response.url} answered ${response.status}: ${body.msg}`)
  return body
}
