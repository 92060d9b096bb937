/** Makes organizations over HTTP, as everyone who may write to the account's D1 can. */

import { createHash, randomBytes } from 'node:crypto'
import { fromJson } from './json.ts'

export interface NewOrganization {
  name: string
  /** The organization's host name; `localhost` stands for every loopback address. */
  host: string
  owner: { email: string; full_name: string; password: string }
  /** The platform's location hint for its object; by default the object is near its founder. */
  location?: string
  /** `eu`, `fedramp` or `us`, if the deployment is in a jurisdiction. */
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
 * @param writeTicket runs one SQL statement on the server's D1, which proves that the caller may make organizations.
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
    // A connection that is kept may be closed just when the caller's next request uses it.
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify({ ticket, ...organization }),
  })
  return (await readAnswer(response)) as CreatedOrganization
}

/** The lifetimes of tickets, in seconds: programs use a ticket at once, people may open a link later. */
const TICKET_SECONDS = 600
const LINK_SECONDS = 7 * 86_400

/**
 * Writes a ticket, which is valid for this number of seconds and for this host alone. Only its digest is stored, so reading the database is
 * not enough to use it.
 */
export function ticketStatement(ticket: string, host: string, seconds = TICKET_SECONDS): string {
  const createdAt = Math.floor(Date.now() / 1000)
  return `INSERT INTO organization_ticket (digest, host, created_at, valid_seconds)
    VALUES ('${sha256(ticket)}', '${quotable(host)}', ${createdAt}, ${seconds})`
}

/**
 * Returns a link that founds the organization at this server, once, within a week.
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

/**
 * Moves the organization at one host to another, at which this server answers. It may be repeated.
 * @param url as in `createOrganization`; `writeTicket` too.
 */
export async function moveOrganization(
  url: string,
  writeTicket: (sql: string) => Promise<unknown>,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  const ticket = randomBytes(32).toString('hex')
  await writeTicket(ticketStatement(`move\n${from}\n${ticket}`, to))
  const body = JSON.stringify({ ticket, move_from: from, host: to })
  const headers = { 'content-type': 'application/json', connection: 'close' }
  await readAnswer(await fetch(`${url}/setup/organizations`, { method: 'POST', headers, body }))
}

/** Returns the host of this Worker at `workers.dev` in another account, if one of these is it. */
export function hostInOtherAccount(host: string, known: readonly string[]): string | undefined {
  const [worker] = host.split('.')
  const isOfWorker = (name: string) => name.startsWith(`${worker}.`) && name.endsWith('.workers.dev')
  return isOfWorker(host) ? known.find((name) => name !== host && isOfWorker(name)) : undefined
}

/**
 * Has a server open a backup as a copy to look at, and returns the copy's number.
 * @param url and `write` as in `createOrganization`.
 */
export async function copyBackup(
  { url, write }: { url: string; write: (sql: string) => Promise<unknown> },
  { host, backupId, copyHost }: { host: string; backupId: number; copyHost: string },
): Promise<number> {
  const ticket = randomBytes(32).toString('hex')
  await write(ticketStatement(ticket, copyHost))
  const response = await fetch(`${url}/setup/copies`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify({ ticket, host, backup_id: backupId, copy_host: copyHost }),
  })
  return ((await readAnswer(response)) as { realm_id: number }).realm_id
}

/** Seconds for which the link of an owner is valid. */
const OWNER_LINK_SECONDS = 900

/**
 * Returns a link that logs an owner in, once (src/http/pages/log-in/access-login.ts). The digest includes the purpose and the address.
 * @param url as in `createOrganization`; `writeTicket` too.
 */
export async function makeOwnerLink(
  { url, host, email }: { url: string; host: string; email: string },
  writeTicket: (sql: string) => Promise<unknown>,
): Promise<string> {
  const ticket = randomBytes(32).toString('hex')
  await writeTicket(ticketStatement(`owner link\n${email}\n${ticket}`, host, OWNER_LINK_SECONDS))
  return `${url}/accounts/owner-link/${ticket}?email=${encodeURIComponent(email)}`
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** @throws {Error} when it is not a host name, since it becomes a part of a statement. */
function quotable(host: string): string {
  const name = host.toLowerCase()
  if (!/^[a-z0-9.-]+$/.test(name)) throw new Error(`${host} is not a host name`)
  return name
}

/** Returns whether an organization answers at this host name. */
export async function organizationExists(url: string): Promise<boolean> {
  const response = await fetch(`${url}/api/v1/server_settings`, { signal: AbortSignal.timeout(10_000) })
  const body = (await response.json()) as { result: string; msg: string }
  if (body.result === 'success') return true
  if (body.msg === 'Invalid subdomain') return false
  throw new Error(`${url} answered ${response.status}: ${body.msg}`)
}

/**
 * Returns the body of a success.
 * @throws {Error} with the request and the server's `msg`, or the beginning of what it sent instead.
 */
export async function readAnswer(response: Response): Promise<unknown> {
  const text = await response.text()
  let body: { result?: string; msg?: string }
  try {
    body = fromJson(text)
  } catch {
    throw new Error(`${response.url} answered ${response.status}: ${text.slice(0, 300)}`)
  }
  if (body.result !== 'success') throw new Error(`${response.url} answered ${response.status}: ${body.msg}`)
  return body
}
