/**
 * `npm run verify` compares the data of an organization in its different stores, and prints the differences.
 *
 * It needs no secret. Like `npm run create-organization`, it writes a ticket into the server's D1, and anybody who can do that
 * may check and repair.
 */
import { createHash, randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { buildWorker } from './build.ts'
import { remoteD1 } from './cloudflare-account.ts'
import { startLocalServer, withLocalD1 } from './local-server.ts'
import { readAnswer, ticketStatement } from './organizations.ts'
import { exitWithError } from './project.ts'
import { chosenStateDir, findRunningServer } from './state-folder.ts'

const USAGE = `Usage: npm run verify -- --host HOST
  --repair    mends what can be derived from what is there
  --remote    in what \`npm run deploy\` put online, not in the local state folder
  --deployment NAME  the one of \`npm run deploy -- --name NAME\`, with --remote
  --url URL   where the deployed server answers, if not at https://HOST`

/** Milliseconds for which a ticket is used; it is valid for ten minutes. */
const TICKET_MS = 480_000
/** Number of times a part is asked for while the server cannot answer. */
const ATTEMPTS = 10

interface Finding {
  check: string
  what: string
  problem: string
  repaired: boolean
}

/** The organization's location. Null if the platform does not say, or nothing was requested. */
interface Location {
  location: string | null
  jurisdiction: string | null
  d1_region: string | null
  d1_for_texts?: { name: string; region: string | null }[]
  stores_jurisdiction: string | null
}

function describeLocation({
  location,
  jurisdiction,
  d1_region,
  d1_for_texts = [],
  stores_jurisdiction,
}: Location): string {
  const kept = (where: string | null) =>
    where === null ? 'in no jurisdiction' : `in the jurisdiction ${where}`
  const regionOf = (region: string | null) => region ?? 'region unknown'
  const databases = [
    `D1: ${regionOf(d1_region)}`,
    ...d1_for_texts.map(({ name, region }) => `${name}: ${regionOf(region)}`),
  ]
  const object = `object: ${location ?? 'near its founder'}, ${kept(jurisdiction)}`
  return `${object}; ${databases.join('; ')}; databases and files: ${kept(stores_jurisdiction)}`
}

type WriteD1 = (sql: string) => Promise<unknown>

interface Options {
  host: string
  repair: boolean
  remote: boolean
  deployment: string
  url: string
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      host: { type: 'string', default: 'localhost' },
      repair: { type: 'boolean', default: false },
      remote: { type: 'boolean', default: false },
      deployment: { type: 'string', default: 'parley' },
      url: { type: 'string' },
    },
  })
  if (values.remote && values.host === 'localhost') throw new Error(USAGE)
  const url = (values.url ?? `https://${values.host}`).replace(/\/+$/, '')
  const { host, repair, remote, deployment } = values
  return { host, repair, remote, deployment, url }
}

/** Tickets for as long as the check takes. The last one is deleted at the end. */
class Tickets {
  readonly #write: WriteD1
  readonly #host: string
  #ticket: string | undefined
  #writtenAt = 0

  constructor(write: WriteD1, host: string) {
    this.#write = write
    this.#host = host
  }

  async current(): Promise<string> {
    if (this.#ticket !== undefined && Date.now() - this.#writtenAt < TICKET_MS) return this.#ticket
    await this.takeBack()
    this.#ticket = randomBytes(32).toString('hex')
    this.#writtenAt = Date.now()
    await this.#write(ticketStatement(this.#ticket, this.#host))
    return this.#ticket
  }

  async takeBack(): Promise<void> {
    if (this.#ticket === undefined) return
    await this.#write(`DELETE FROM organization_ticket WHERE digest = '${digestOf(this.#ticket)}'`)
    this.#ticket = undefined
  }
}

function digestOf(ticket: string): string {
  return createHash('sha256').update(ticket).digest('hex')
}

/** Asks again while the answer is 503: D1 is still being written, or the server is being deployed. */
async function askPatiently(ask: () => Promise<Response>): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await ask()
    if (response.status !== 503 || attempt === ATTEMPTS) return response
    await response.body?.cancel()
    await setTimeout(Number(response.headers.get('retry-after') ?? 1) * 1_000)
  }
}

/**
 * Checks one organization, and prints the findings.
 * @returns the number of findings that are left.
 */
async function verify(
  url: string,
  write: WriteD1,
  { host, repair }: Pick<Options, 'host' | 'repair'>,
): Promise<number> {
  const tickets = new Tickets(write, host)
  let [found, repaired] = [0, 0]
  try {
    let after: string | null = null
    do {
      const response = await askPatiently(async () =>
        fetch(`${url}/setup/verify`, {
          method: 'POST',
          // The local runtime ends a connection that is kept, perhaps just as it is used again.
          headers: { 'content-type': 'application/json', connection: 'close' },
          body: JSON.stringify({ ticket: await tickets.current(), host, after, repair }),
        }),
      )
      const answer = (await readAnswer(response)) as {
        findings: Finding[]
        next: string | null
        place: Location
      }
      if (after === null) console.log(describeLocation(answer.place))
      for (const finding of answer.findings) {
        console.log(
          `${finding.check}: ${finding.what} ${finding.problem}${finding.repaired ? ' (repaired)' : ''}`,
        )
        found += 1
        if (finding.repaired) repaired += 1
      }
      after = answer.next
    } while (after !== null)
  } finally {
    await tickets.takeBack()
  }
  console.log(`${host}: ${found === 0 ? 'nothing found' : `${found} found, ${repaired} repaired`}`)
  return found - repaired
}

/** Returns how many differences there are in an organization of a local server. */
export function countFindings(url: string, write: WriteD1, host: string): Promise<number> {
  return verify(url, write, { host, repair: false })
}

async function verifyLocally(options: Options): Promise<number> {
  const stateDir = chosenStateDir()
  const running = await findRunningServer(stateDir)
  if (running !== undefined) {
    const bundle = await buildWorker('local')
    const write: WriteD1 = (sql) => withLocalD1(bundle, stateDir, (database) => database.prepare(sql).run())
    return verify(running.url, write, options)
  }
  const server = await startLocalServer({ stateDir, vars: { LOG: 'troubles' } })
  try {
    const database = await server.runtime.getD1Database('DB')
    return await verify(server.url, (sql) => database.prepare(sql).run(), options)
  } finally {
    await server.stop()
  }
}

async function main(): Promise<void> {
  const options = readOptions()
  const write = remoteD1(options.deployment)
  const left = options.remote ? await verify(options.url, write, options) : await verifyLocally(options)
  if (left > 0) process.exitCode = 1
}

if (import.meta.main) await main().catch(exitWithError)
