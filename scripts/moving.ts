/** How an organization moves to another server, and in from one (docs/moving.md): both sides, over HTTP, with tickets in the server's D1. */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { parseEnv } from 'node:util'
import { readAnswer, ticketStatement } from './organizations.ts'

/** A server that is operated: where it answers, and what writes into its D1. */
export interface OperatedServer {
  /** Without a slash at the end. */
  readonly url: string
  write(sql: string): Promise<unknown>
}

/** The settings of the old server that the new one needs, by their names there. */
const SOURCE_SETTINGS = [
  'BACKUP_S3_URL',
  'BACKUP_S3_ACCESS_KEY',
  'BACKUP_S3_SECRET_KEY',
  'BACKUP_S3_REGION',
  'SECRETS_KEY',
] as const
/** Those that need not be there. */
const OPTIONAL: readonly string[] = ['BACKUP_S3_REGION']

/** Milliseconds between two questions how far it is, and for which a ticket is used. */
const ASKED_EVERY_MS = 1_000
const TICKET_MS = 480_000

/** Asks a server about an organization, with a new ticket when the last one becomes old. */
class Operator {
  readonly #server: OperatedServer
  readonly #host: string
  #ticket = { text: '', writtenAt: 0 }

  constructor(server: OperatedServer, host: string) {
    this.#server = server
    this.#host = host
  }

  async ask<Answer>(path: string, more: object): Promise<Answer> {
    if (Date.now() - this.#ticket.writtenAt > TICKET_MS) {
      this.#ticket = { text: randomBytes(32).toString('hex'), writtenAt: Date.now() }
      await this.#server.write(ticketStatement(this.#ticket.text, this.#host))
    }
    const response = await fetch(`${this.#server.url}/setup/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', connection: 'close' },
      body: JSON.stringify({ ticket: this.#ticket.text, host: this.#host, ...more }),
    })
    return (await readAnswer(response)) as Answer
  }
}

interface Standing {
  readonly to: string | null
  readonly is_away: boolean
  readonly secrets_key?: string | null
}

export interface Leaving {
  readonly host: string
  /** Address of the new server. */
  readonly to: string
  /** MOVE_TOKEN of a server whose SECRETS_KEY is not at hand. */
  readonly token?: string | undefined
  /** The settings that are at hand. */
  readonly settings: Readonly<Record<string, string | undefined>>
  /** The file that the new server is to read. */
  readonly into: string
}

/** Closes an organization, waits for its last backup, and writes the file with which it moves in elsewhere. */
export async function moveOut(
  server: OperatedServer,
  { host, to, token, settings, into }: Leaving,
): Promise<void> {
  if (existsSync(into)) throw new Error(`${into} exists already. Choose another file with --into.`)
  const operator = new Operator(server, host)
  const begun = await operator.ask<Standing>('moves-out', { to, ...(token === undefined ? {} : { token }) })
  console.log(`${host} is closed, and says that it has moved to ${to}. Its last backup is being made.`)
  for (let standing = begun; !standing.is_away; ) {
    await setTimeout(ASKED_EVERY_MS)
    // While the object restarts it may not answer.
    standing = await operator.ask<Standing>('moves-out', {}).catch(() => standing)
    if (standing.to === null)
      throw new Error('The backup has failed, and the organization is open again. The log says why.')
  }
  const known: Readonly<Record<string, string | undefined>> = {
    ...settings,
    ...(begun.secrets_key ? { SECRETS_KEY: begun.secrets_key } : {}),
  }
  const lines = SOURCE_SETTINGS.map((name) => `${name}=${known[name] ?? ''}\n`)
  writeFileSync(into, lines.join(''), { mode: 0o600 })
  const missing = missingIn(known)
  console.log(
    `The backup is made. ${into} has what the new server needs to read it${missing.length > 0 ? `: write ${missing.join(', ')} into it` : ''}.`,
  )
}

/** Opens an organization again that was to move, or has moved. */
export async function stayHere(server: OperatedServer, host: string): Promise<void> {
  await new Operator(server, host).ask('moves-out', { to: null })
  console.log(`${host} is open here again.`)
}

function missingIn(settings: Readonly<Record<string, string | undefined>>): string[] {
  return SOURCE_SETTINGS.filter((name) => !settings[name] && !OPTIONAL.includes(name))
}

export interface Coming {
  readonly host: string
  /** The file that `moveOut` has written. */
  readonly from: string
  /** The number of the organization, where the store has several. */
  readonly organization?: number | undefined
}

/** Makes an organization of the newest backup in the other server's store, and waits until it is open. */
export async function moveIn(server: OperatedServer, { host, from, organization }: Coming): Promise<void> {
  const read = parseEnv(readFileSync(from, 'utf8'))
  const missing = missingIn(read)
  if (missing.length > 0) throw new Error(`${from} lacks ${missing.join(', ')}.`)
  const source = Object.fromEntries(
    SOURCE_SETTINGS.filter((name) => read[name]).map((name) => [name, read[name]]),
  )
  const operator = new Operator(server, host)
  const begun = await operator.ask<{ realm_id: number; from_host: string; taken_at: number }>('moves-in', {
    source,
    ...(organization === undefined ? {} : { organization }),
  })
  const moment = new Date(begun.taken_at * 1_000).toISOString().slice(0, 19).replace('T', ' ')
  console.log(`Organization ${begun.realm_id}, ${begun.from_host}, as of ${moment} UTC:`)
  await follow(operator)
  console.log(`${host} is open here, with everything that it had then. Clients register again by themselves.`)
}

interface Progress {
  readonly restore: { readonly stage: string | null; readonly outcome: string | null } | null
}

/** Shows each stage, and waits for the end. */
async function follow(operator: Operator): Promise<void> {
  for (let last = '', failures = 0; ; ) {
    await setTimeout(ASKED_EVERY_MS)
    try {
      const { restore } = await operator.ask<Progress>('backups', {})
      failures = 0
      if (restore?.outcome === 'restored') return
      if (restore?.stage && restore.stage !== last) console.log(restore.stage)
      last = restore?.stage ?? last
    } catch (error) {
      failures += 1
      if (failures > 20) throw new Error(`It is not known how it went on: ${(error as Error).message}`)
    }
  }
}
