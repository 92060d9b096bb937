/**
 * `npm run seed -- --users N --channels N --messages N [--host H]`: makes an organization of any size in the local
 * state folder, with the running server, or else with a temporary one. The
 * same numbers give the same people, channels and messages. `--organizations N` makes N of them, each of this size, or
 * with its owner alone if no size is given.
 */
import { parseArgs } from 'node:util'
import { buildWorker } from './build.ts'
import { startLocalServer, withLocalD1 } from './local-server.ts'
import { createOrganization } from './organizations.ts'
import { exitWithError } from './project.ts'
import { postTo, type SeedSize, seededEmail, seedOrganization } from './seed-organization.ts'
import { hostOf, seedOrganizations } from './seed-organizations.ts'
import { chosenStateDir, findRunningServer } from './state-folder.ts'

const USAGE = `Usage: npm run seed -- --users N --channels N --messages N
  --host HOST        where the organization will answer, seeded.localhost by default; it must be new
  --organizations N  that many organizations, at seeded-1.localhost and so on; without the numbers above, with their owners alone`

const OWNER = {
  email: 'owner@example.com',
  full_name: 'Olive Owner',
  password: 'seeded for a look around',
}

interface Options {
  /** Undefined means only the owner, and what every new organization has. */
  readonly size: SeedSize | undefined
  readonly host: string
  /** The number of organizations; undefined: one, at `host` itself. */
  readonly organizations: number | undefined
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      users: { type: 'string' },
      channels: { type: 'string' },
      messages: { type: 'string' },
      host: { type: 'string', default: 'seeded.localhost' },
      organizations: { type: 'string' },
    },
  })
  const numberOf = (text: string | undefined, min: number) => {
    const number = Number(text)
    if (text === undefined || !Number.isInteger(number) || number < min) throw new Error(USAGE)
    return number
  }
  const { users, channels, messages, host } = values
  const organizations = values.organizations === undefined ? undefined : numberOf(values.organizations, 1)
  const isSized = [users, channels, messages].some((value) => value !== undefined)
  const size =
    organizations !== undefined && !isSized
      ? undefined
      : { users: numberOf(users, 1), channels: numberOf(channels, 0), messages: numberOf(messages, 0) }
  return { size, host, organizations }
}

async function main(): Promise<void> {
  const options = readOptions()
  const stateDir = chosenStateDir()
  const running = await findRunningServer(stateDir)
  if (running) {
    const bundle = await buildWorker('local')
    const writeTicket = (sql: string) =>
      withLocalD1(bundle, stateDir, (database) => database.prepare(sql).run())
    return seed({ url: running.url, writeTicket, port: new URL(running.url).port }, options)
  }
  const server = await startLocalServer({ stateDir, vars: { LOG: 'troubles' } })
  try {
    const database = await server.runtime.getD1Database('DB')
    const writeTicket = (sql: string) => database.prepare(sql).run()
    await seed({ url: server.url, writeTicket, port: process.env.PORT ?? '8787' }, options)
  } finally {
    await server.stop()
  }
}

interface Server {
  readonly url: string
  writeTicket(sql: string): Promise<unknown>
  /** The port at which the organization will be reached; a temporary server has another one. */
  readonly port: string
}

function seed(server: Server, { size, host, organizations }: Options): Promise<void> {
  if (organizations !== undefined) return seedMany(server, organizations, host, size)
  return seedOne(server, size!, host)
}

async function seedOne({ url, writeTicket, port }: Server, size: SeedSize, host: string): Promise<void> {
  const owner = await createOrganization(url, writeTicket, { name: 'Seeded', host, owner: OWNER })
  const began = performance.now()
  let stage: string | undefined
  let since = began
  await seedOrganization(postTo(`${url}/dev/seed`, host), owner.user_id, size, (at) => {
    if (at.stage === stage) return
    if (stage !== undefined) console.log(`${stage.padEnd(10)} ${seconds(since)}`)
    stage = at.stage
    since = performance.now()
  })
  console.log(`${describe(size)} in ${seconds(began)}

http://${host}:${port}
  owner      ${OWNER.full_name} <${OWNER.email}>, password "${OWNER.password}", API key ${owner.api_key}
  people     ${seededEmail(0)} and so on; POST /api/v1/dev_fetch_api_key returns their keys`)
}

/** The number of organizations between two lines of progress. */
const REPORT_EVERY = 100

/** Makes the organizations. Existing ones stay as they are, so an interrupted run can be continued. */
async function seedMany(
  { url, port }: Server,
  count: number,
  host: string,
  size: SeedSize | undefined,
): Promise<void> {
  const began = performance.now()
  const owners = await seedOrganizations(
    postTo(`${url}/dev/organizations`, new URL(url).host),
    count,
    host,
    OWNER,
    (done) => {
      if (done % REPORT_EVERY === 0) console.log(`${String(done).padEnd(6)} ${seconds(began)}`)
    },
  )
  const made = owners.filter(({ account }) => account !== null)
  if (size) {
    for (const [at, { host: own, account }] of made.entries()) {
      await seedOrganization(postTo(`${url}/dev/seed`, own), account!.user_id, size)
      if ((at + 1) % REPORT_EVERY === 0) console.log(`${at + 1} filled, ${seconds(began)}`)
    }
  }
  const before = count - made.length
  const each = size ? `, each of ${describe(size)},` : ''
  const known = before === 0 ? '' : ` (${before} were there before and are as they were)`
  console.log(`${made.length} organizations${each} in ${seconds(began)}${known}

http://${hostOf(host, 1)}:${port} to http://${hostOf(host, count)}:${port}
  owner      ${OWNER.full_name} <${OWNER.email}>, password "${OWNER.password}"
  keys       POST /api/v1/dev_fetch_api_key returns everyone's key`)
}

function describe({ users, channels, messages }: SeedSize): string {
  return `${users} users, ${channels} channels, ${messages} messages`
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1_000).toFixed(1)} s`
}

if (import.meta.main) await main().catch(exitWithError)
