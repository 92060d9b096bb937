/**
 * `npm run preflight` checks a new server on this machine, and `npm run preflight -- --remote` one in the Cloudflare account: a deployment of its own,
 * made for it and removed afterwards, whatever happens; Ctrl-C too removes it. It prints a report in Markdown, and ends with an error if a check
 * has failed or something is left.
 *
 *   --poll-minutes N   how long a quiet queue is polled: 1, with --remote 60
 *   --jurisdiction eu  where the deployment is made
 *   --mail-to ADDRESS  who gets a test mail
 *   --keep             removes nothing
 *   --url URL          where the Worker answers, if not at its own address
 */
import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { ApiClient } from './api-client.ts'
import { CloudflareAccount, readJurisdiction, remoteD1 } from './cloudflare-account.ts'
import { deploy } from './deploy.ts'
import { named, readConfig } from './deployment-config.ts'
import { startLocalServer } from './local-server.ts'
import { createOrganization, organizationExists } from './organizations.ts'
import { CHECKS } from './preflight/checks.ts'
import { type Deployed, PLATFORM_CHECKS } from './preflight/platform-checks.ts'
import { type Checked, ONLY_WITH } from './preflight/steps.ts'
import { exitWithError } from './project.ts'
import { buildAssets } from './web-client.ts'

/** Seconds until a new address is known everywhere, at most. */
const PATIENCE_SECONDS = 180
/** Minutes without a request after which the platform evicts an object, at most. */
const SLEEP_MINUTES = 3
const OWNER = { email: 'owner@example.com', full_name: 'Preflight' }

/** Aborted by the first Ctrl-C. The second one ends the process. */
const stopping = new AbortController()
const stopped = new Promise<never>((_, reject) => {
  stopping.signal.addEventListener('abort', () => reject(stopping.signal.reason))
})
// Whoever waits for it gets the error.
stopped.catch(() => {})

interface Options {
  readonly pollMinutes: number
  readonly mailTo: string | undefined
}

interface RemoteOptions extends Options {
  readonly url: string | undefined
  readonly jurisdiction: string | undefined
  readonly keep: boolean
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      remote: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
      'poll-minutes': { type: 'string' },
      jurisdiction: { type: 'string' },
      'mail-to': { type: 'string' },
      url: { type: 'string' },
    },
  })
  const { remote, url, jurisdiction, keep, 'mail-to': mailTo } = values
  const pollMinutes = Number(values['poll-minutes'] ?? (remote ? 60 : 1))
  if (!(pollMinutes >= 0)) throw new Error('--poll-minutes must be a number.')
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      console.log('Stopping, and removing what was made. Once more stops at once, and leaves it.')
      stopping.abort(new Error('Stopped.'))
    })
  }
  const options = { pollMinutes, mailTo }
  const failed = remote
    ? await checkInAccount({ ...options, url, jurisdiction, keep })
    : await checkHere(options)
  if (failed > 0) throw new Error(`${failed} ${failed === 1 ? 'check has' : 'checks have'} failed.`)
}

async function checkHere(options: Options): Promise<number> {
  const { folder: page } = await buildAssets(undefined)
  const server = await startLocalServer({ entry: 'deployed', page, vars: { LOG: 'off' } })
  try {
    const database = await server.runtime.getD1Database('DB')
    const query = (sql: string) => database.prepare(sql).all<object>()
    // It is the first organization of this server.
    const sleep = () => server.evictRealm(1)
    return await check('this machine', { ...options, url: server.url, query, sleep }, undefined)
  } finally {
    await server.stop()
  }
}

async function checkInAccount({ url, keep, ...options }: RemoteOptions): Promise<number> {
  const config = named(await readConfig(), `preflight-${randomBytes(3).toString('hex')}`)
  const jurisdiction = readJurisdiction(options.jurisdiction)
  let underWay: Promise<string | undefined> | undefined
  const deployIt = () => {
    underWay = deploy(config, { webClient: undefined, jurisdiction, isAgreed: true })
    return underWay
  }
  const account = await CloudflareAccount.open()
  const deployed: Deployed = { account, config, jurisdiction, deployAgain: deployIt }
  try {
    const host = await deployIt()
    stopping.signal.throwIfAborted()
    const query = remoteD1(config.name)
    const sleep = () => setTimeout(Math.min(options.pollMinutes, SLEEP_MINUTES) * 60_000)
    const facts = { ...options, url: url ?? `https://${host}`, query, sleep }
    return await check('Cloudflare', facts, deployed)
  } finally {
    // What is deployed meanwhile could not be removed.
    await underWay?.catch(() => {})
    if (!keep) await remove(deployed)
  }
}

/** Makes an organization, checks, and prints the report. Returns how many checks have failed. */
async function check(
  where: string,
  facts: Omit<Checked, 'owner' | 'password' | 'host'>,
  deployed: Deployed | undefined,
): Promise<number> {
  const { url, query } = facts
  await untilReachable(url)
  const password = randomBytes(12).toString('base64url')
  const { hostname } = new URL(url)
  const host = hostname === '127.0.0.1' ? 'localhost' : hostname
  const made = await createOrganization(url, query, {
    name: 'Preflight',
    host,
    owner: { ...OWNER, password },
  })
  const on: Checked = { ...facts, host, owner: new ApiClient(url, made), password }
  const checks: { name: string; run: () => Promise<unknown> }[] = [
    ...CHECKS.map(({ name, run }) => ({ name, run: () => run(on) })),
    ...PLATFORM_CHECKS.map(({ name, run }) => ({
      name,
      run: async () => (deployed ? run(on, deployed) : `${ONLY_WITH}--remote`),
    })),
  ]
  console.log(`\nChecked at ${where}, ${new Date().toISOString().slice(0, 10)}:\n\n| check | |\n|---|---|`)
  let [failed, skipped] = [0, 0]
  for (const { name, run } of checks) {
    const [isRight, told] = await Promise.race([run(), stopped]).then(
      (fact) => [true, typeof fact === 'string' ? fact : ''],
      (error: Error) => [false, `**failed**: ${error.message}`],
    )
    stopping.signal.throwIfAborted()
    if (!isRight) failed += 1
    else if (String(told).startsWith(ONLY_WITH)) skipped += 1
    console.log(`| ${name} | ${told} |`)
  }
  const passed = checks.length - failed - skipped
  console.log(`\n${passed} passed, ${failed} failed, ${skipped} could not be tried.\n`)
  return failed
}

async function untilReachable(url: string): Promise<void> {
  for (let second = 0; second < PATIENCE_SECONDS; second += 1) {
    const isReached = await organizationExists(url).then(
      () => true,
      () => false,
    )
    if (isReached) return
    await setTimeout(1_000, undefined, { signal: stopping.signal })
  }
  throw new Error(`${url} does not answer.`)
}

/**
 * Removes everything that was made, and goes on where something cannot be removed.
 * @throws {Error} that names what is left
 */
async function remove({ account, config, jurisdiction }: Deployed): Promise<void> {
  const attempts: [string, () => Promise<unknown>][] = [
    [`the Worker ${config.name}`, () => account.deleteWorker(config.name)],
    ...(config.r2_buckets ?? []).map(({ bucket_name: name }): [string, () => Promise<unknown>] => [
      `the R2 bucket ${name}`,
      () => account.deleteBucket(name, jurisdiction),
    ]),
    ...config.d1_databases.map(({ database_name: name }): [string, () => Promise<unknown>] => [
      `the D1 database ${name}`,
      () => account.deleteDatabase(name),
    ]),
  ]
  const left: string[] = []
  for (const [what, attempt] of attempts) {
    await attempt().then(
      () => console.log(`Removed ${what}, or it was never made`),
      (error: Error) => left.push(`${what} (${error.message})`),
    )
  }
  if (left.length > 0) throw new Error(`Remove these by hand: ${left.join(', ')}`)
}

if (import.meta.main) await main().catch(exitWithError)
