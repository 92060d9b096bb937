/**
 * `npm run deploy [-- --dry-run] [-- --web-client FOLDER]`: creates what the account lacks, applies new D1 migrations, and deploys the
 * Worker, in that order: the new code needs its tables, and the old code works with them too. A fresh account needs no manual steps.
 *
 * Texts may be in several databases: `parley-bodies-1` and so on are bound as BODIES_1 …, and another one is made when the newest is
 * two thirds full.
 *
 * The command refuses a deployment whose D1 an incompatible build has made, before it changes anything.
 *
 * `--name NAME` is another deployment in the same account, with a Worker, a database and a bucket of its own. `--jurisdiction eu`
 * (or `fedramp`) makes a new deployment whose data stays in the jurisdiction; later runs detect it.
 *
 * Databases have read replication, so texts and search are read from the nearest copy.
 *
 * wrangler.toml lists the resources. Their ids, which belong to this account alone, are written to a copy under `.parley/`.
 */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import {
  type BodyDatabaseSettings,
  MAX_BODY_DATABASES,
  nextDatabaseAt,
} from '../src/store/d1/body-databases.ts'
import { aboutAccess } from './access-paths.ts'
import { buildWorker, MAIN_MODULE } from './build.ts'
import { fromJson } from './json.ts'
import { listMigrations, OtherBuildError, requireOwnMigrations } from './migrations.ts'
import { makeSetUpLink, organizationExists } from './organizations.ts'
import { exitWithError, PROJECT, ProgramFailedError, runWrangler, WORK, WRANGLER_CONFIG } from './project.ts'
import { newSecretsKey } from './state-folder.ts'
import { buildAssets } from './web-client.ts'

/** The part of wrangler.toml that is read here; the rest is passed on as it is. */
interface Config extends Record<string, unknown> {
  name: string
  main: string
  no_bundle?: boolean
  d1_databases: { binding: string; database_name: string; database_id?: string; migrations_dir?: string }[]
  r2_buckets?: { binding: string; bucket_name: string; jurisdiction?: string }[]
  vars?: Record<string, string>
  assets: { directory: string }
}

const DEPLOY_CONFIG = join(WORK, 'deploy', 'wrangler.json')

async function readConfig(): Promise<Config> {
  const { experimental_readRawConfig } = await import('wrangler')
  const { rawConfig }: { rawConfig: object } = experimental_readRawConfig({ config: WRANGLER_CONFIG })
  return rawConfig as Config
}

/** @throws {Error} with the way to log in. */
async function requireLogin(): Promise<void> {
  const answer = await runWrangler(['whoami', '--json']).catch((error: ProgramFailedError) => error.output)
  if (/"loggedIn":\s*false/.test(answer)) {
    throw new Error(
      'Not logged in to Cloudflare. Run `npx wrangler login`, or set CLOUDFLARE_API_TOKEN, and try again.',
    )
  }
}

/** The jurisdiction in which the deployment stores its data. It is chosen once, since nothing can move the data. */
type Jurisdiction = 'eu' | 'fedramp' | undefined

const NAME = /^[a-z0-9]([a-z0-9-]{0,40}[a-z0-9])?$/

/** Returns the deployment of this name, separate from every other in the account. */
function named(config: Config, name: string): Config {
  return {
    ...config,
    name,
    d1_databases: config.d1_databases.map((each) => ({ ...each, database_name: name })),
    r2_buckets: (config.r2_buckets ?? []).map((each) => ({ ...each, bucket_name: `${name}-uploads` })),
  }
}

/** Sets the bucket's jurisdiction, and the variable by which the Worker knows it. */
function keptIn(config: Config, jurisdiction: Jurisdiction): Config {
  if (jurisdiction === undefined) return config
  return {
    ...config,
    r2_buckets: (config.r2_buckets ?? []).map((each) => ({ ...each, jurisdiction })),
    vars: { ...config.vars, JURISDICTION: jurisdiction },
  }
}

/**
 * Returns the jurisdiction in which the deployment was made, or is to be made now.
 * @throws {Error} if it is not the requested one, since nothing can move the data.
 */
function jurisdictionFor(
  config: Config,
  asked: Jurisdiction,
  listed: readonly ListedDatabase[],
): Jurisdiction {
  const name = config.d1_databases[0]!.database_name
  const first = listed.find((database) => database.name === name)
  const made = first?.jurisdiction ?? undefined
  if (first !== undefined && asked !== undefined && made !== asked) {
    throw new Error(
      `The D1 database ${name} is there already, and not in the jurisdiction ${asked}. Choose another --name.`,
    )
  }
  if (made !== undefined) console.log(`The deployment was made in the jurisdiction ${made}, and stays there.`)
  return asked ?? made
}

/** The form of the names of databases for texts. A deployment with such a name would share a database with another. */
const NAME_OF_TEXTS = /-bodies-\d+$/

/**
 * Returns the databases for texts besides `DB`: those that the account has for this deployment, and a new one if the newest is two thirds
 * full. Nothing is moved: new texts go to the newest.
 */
async function withBodyDatabases(config: Config, existing: readonly ListedDatabase[]): Promise<Config> {
  const [first] = config.d1_databases
  const listed = new Set(existing.map(({ name }) => name))
  const textsOf = (number: number) => `${first!.database_name}-bodies-${number}`
  const bodies: string[] = []
  while (listed.has(textsOf(bodies.length + 1))) bodies.push(textsOf(bodies.length + 1))
  const newest = bodies.at(-1) ?? first!.database_name
  if (listed.has(newest)) {
    const [size, limit] = [await sizeOfDatabase(newest), nextDatabaseAt(settingsOf(config))]
    const next = textsOf(bodies.length + 1)
    console.log(
      `The D1 database ${newest} has ${megabytes(size)}; from ${megabytes(limit)} on a further one is made for texts.`,
    )
    if (size >= limit && bodies.length < MAX_BODY_DATABASES) {
      console.log(`New texts go to ${next} from now on. Nothing is moved.`)
      bodies.push(next)
    }
  }
  const bound = bodies.map((database_name, at) => ({ ...first!, binding: `BODIES_${at + 1}`, database_name }))
  return { ...config, d1_databases: [...config.d1_databases, ...bound] }
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1_000_000)} MB`
}

function settingsOf({ vars }: Config): BodyDatabaseSettings {
  const limit = process.env.D1_MAX_MIB ?? vars?.D1_MAX_MIB
  return limit === undefined ? {} : { D1_MAX_MIB: limit }
}

/** Returns the size in bytes, from an answer of the database itself. */
async function sizeOfDatabase(name: string): Promise<number> {
  return (await ask(name, 'SELECT 1 AS one')).meta?.size_after ?? 0
}

/** @throws {Error} if another build has made one of the databases that there are already. */
async function requireOwnDatabases(config: Config, listed: readonly ListedDatabase[]): Promise<void> {
  for (const { database_name: name } of config.d1_databases) {
    if (!listed.some((database) => database.name === name)) continue
    try {
      requireOwnMigrations(await appliedMigrations(name), listMigrations())
    } catch (error) {
      if (!(error instanceof OtherBuildError)) throw error
      throw new Error(
        `The D1 database ${name} was made by ${error.build} Parley, whose data this one cannot read, so nothing was changed. ` +
          'Deploy that one, or make another deployment with --name NAME (`npm run reset` deletes only local state).',
      )
    }
  }
}

/** Returns the names of the migrations that a database has; none if its first deployment failed before that. */
async function appliedMigrations(database: string): Promise<string[]> {
  try {
    const { results } = await ask(database, 'SELECT name FROM d1_migrations ORDER BY id')
    return results.map(({ name }) => name)
  } catch (error) {
    if (error instanceof ProgramFailedError && /no such table: d1_migrations/.test(error.output)) return []
    throw error
  }
}

async function ask(database: string, query: string): Promise<D1Answer> {
  const command = ['d1', 'execute', database, '--remote', '--yes', '--json', '--command', query]
  const [answer] = fromJson<[D1Answer]>(await runWrangler(command))
  return answer
}

interface D1Answer {
  readonly results: readonly { readonly name: string }[]
  readonly meta?: { readonly size_after?: number }
}

/** @returns the database's id. */
async function ensureDatabase(
  name: string,
  jurisdiction: Jurisdiction,
  listed: readonly ListedDatabase[],
): Promise<string> {
  const found = listed.find((database) => database.name === name)
  if (found !== undefined) return found.uuid
  console.log(`Creating the D1 database ${name} …`)
  await runWrangler(['d1', 'create', name, ...(jurisdiction ? ['--jurisdiction', jurisdiction] : [])])
  const created = (await listDatabases()).find((database) => database.name === name)
  if (created === undefined)
    throw new Error(`The D1 database ${name} was created, but is not listed yet. Try again.`)
  await replicate(created)
  return created.uuid
}

/** Turns on read replication of a database, which is free. A failure here does not stop the deployment. */
async function replicate({ uuid }: ListedDatabase): Promise<void> {
  try {
    const { account, headers } = await accessToAccount()
    const base = process.env.CLOUDFLARE_API_BASE_URL ?? 'https://api.cloudflare.com/client/v4'
    const response = await fetch(`${base}/accounts/${account}/d1/database/${uuid}`, {
      method: 'PUT',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ read_replication: { mode: 'auto' } }),
    })
    if (!response.ok) throw new Error(`Cloudflare answered ${response.status}`)
    console.log(`Its read replication is on: texts and search are read from the nearest copy.`)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    console.log(
      `Its read replication could not be switched on (${why}). In Cloudflare's dashboard it is a setting of the database.`,
    )
  }
}

type Access = { type: 'api_token' | 'oauth'; token: string } | { type: 'api_key'; key: string; email: string }

/** Returns wrangler's access to the account, for requests that wrangler has no command for. */
async function accessToAccount(): Promise<{ account: string; headers: Record<string, string> }> {
  const access = fromJson<Access>(await runWrangler(['auth', 'token', '--json']))
  const headers: Record<string, string> =
    access.type === 'api_key'
      ? { 'x-auth-key': access.key, 'x-auth-email': access.email }
      : { authorization: `Bearer ${access.token}` }
  const account = process.env.CLOUDFLARE_ACCOUNT_ID ?? (await onlyAccount())
  return { account, headers }
}

async function onlyAccount(): Promise<string> {
  const { accounts = [] } = fromJson<{ accounts?: { id: string }[] }>(await runWrangler(['whoami', '--json']))
  if (accounts.length !== 1) throw new Error('CLOUDFLARE_ACCOUNT_ID does not say which account it is')
  return accounts[0]!.id
}

interface ListedDatabase {
  uuid: string
  name: string
  jurisdiction?: Jurisdiction | null
}

async function listDatabases(): Promise<ListedDatabase[]> {
  return fromJson(await runWrangler(['d1', 'list', '--json']))
}

/** Creates the bucket. It has no id, so the answer that we own it already is a success. */
async function ensureBucket(name: string, jurisdiction: Jurisdiction): Promise<void> {
  const where = jurisdiction ? ['--jurisdiction', jurisdiction] : []
  await runWrangler(['r2', 'bucket', 'create', name, ...where]).catch((error: unknown) => {
    if (!(error instanceof ProgramFailedError && /\[code: 10004\]/.test(error.output))) throw error
  })
}

/**
 * Makes paths absolute, since wrangler reads them relative to the file.
 * @param folders those of the Worker's bundle, which is deployed as it is, and of the page
 */
function writeDeployConfig(
  config: Config,
  databaseIds: Map<string, string>,
  folders: { worker: string; page: string },
): void {
  const complete: Config = {
    ...config,
    main: join(folders.worker, MAIN_MODULE),
    no_bundle: true,
    assets: { ...config.assets, directory: folders.page },
    d1_databases: config.d1_databases.map((database) => ({
      ...database,
      database_id: databaseIds.get(database.database_name),
      migrations_dir: join(PROJECT, database.migrations_dir ?? 'migrations'),
    })),
  }
  mkdirSync(join(DEPLOY_CONFIG, '..'), { recursive: true })
  writeFileSync(DEPLOY_CONFIG, `${JSON.stringify(complete, null, 2)}\n`)
}

async function deploy(
  written: Config,
  webClient: string | undefined,
  jurisdiction: Jurisdiction,
): Promise<void> {
  await requireLogin()
  const listed = await listDatabases()
  const where = jurisdictionFor(written, jurisdiction, listed)
  const [bundle, page] = await Promise.all([buildWorker('deployed'), buildAssets(webClient)])
  const config = await withBodyDatabases(keptIn(written, where), listed)
  await requireOwnDatabases(config, listed)
  const ids = new Map<string, string>()
  for (const { database_name } of config.d1_databases) {
    ids.set(database_name, await ensureDatabase(database_name, where, listed))
  }
  for (const { bucket_name } of config.r2_buckets ?? []) await ensureBucket(bucket_name, where)
  writeDeployConfig(config, ids, { worker: bundle.folder, page: page.folder })
  const withConfig = ['--config', DEPLOY_CONFIG]
  for (const { database_name } of config.d1_databases) {
    await runWrangler(['d1', 'migrations', 'apply', database_name, '--remote', ...withConfig], { show: true })
  }
  const output = await withSecretsKey(config, (secrets) =>
    runWrangler(['deploy', ...withConfig, ...secrets], { show: 'too' }),
  )
  console.log(`\nOnline. ${(await howToBegin(hostIn(output), config.name)).join('\n')}`)
  for (const line of aboutAccess(config.vars)) console.log(line)
}

/**
 * Sets SECRETS_KEY at the first deployment, and never again, since what it has sealed would be lost.
 * @param deployWith is called with the arguments that set it, if it is missing.
 */
async function withSecretsKey(
  { name, vars }: Config,
  deployWith: (secrets: string[]) => Promise<string>,
): Promise<string> {
  if (vars?.SECRETS_KEY !== undefined || (await secretsOf(name)).includes('SECRETS_KEY'))
    return deployWith([])
  const file = join(DEPLOY_CONFIG, '..', 'secrets.json')
  writeFileSync(file, JSON.stringify({ SECRETS_KEY: newSecretsKey() }), { mode: 0o600 })
  try {
    const output = await deployWith(['--secrets-file', file])
    console.log('A new SECRETS_KEY was set, which encrypts what organizations keep secret.')
    return output
  } finally {
    rmSync(file)
  }
}

/** Returns the names of the secrets that a Worker has; none before its first deployment. */
async function secretsOf(worker: string): Promise<string[]> {
  try {
    const listed = await runWrangler(['secret', 'list', '--name', worker, '--format', 'json'])
    return fromJson<{ name: string }[]>(listed).map(({ name }) => name)
  } catch (error) {
    if (error instanceof ProgramFailedError && /Worker "[^"]*" not found/.test(error.output)) return []
    throw error
  }
}

/** Returns the host at which the Worker answers, from wrangler's output: a domain of the account, or else that of workers.dev. */
function hostIn(output: string): string | undefined {
  const [, own] = /^\s*([\w.-]+)[^\n]* \(custom domain\)/m.exec(output) ?? []
  return own ?? /https:\/\/([\w.-]+\.workers\.dev)/.exec(output)?.[1]
}

/** Prints a link that makes an organization, if none is known at the host. */
async function howToBegin(host: string | undefined, deployment: string): Promise<string[]> {
  if (host === undefined) {
    return [
      'An organization is made with',
      '  npm run create-organization -- --remote --name "Acme" --host HOST --owner-email EMAIL --owner-name NAME',
      'where HOST is the name at which the Worker answers (above, without https://).',
    ]
  }
  const url = `https://${host}`
  // A new name may not be known everywhere yet.
  if (await organizationExists(url).catch(() => false)) return [`The organization is at ${url}`]
  const link = await makeSetUpLink(url, host, (sql) =>
    runWrangler(['d1', 'execute', deployment, '--remote', '--yes', '--command', sql]),
  )
  return ['Begin here: this link makes the organization and its owner, once, within a week.', `  ${link}`]
}

/** Builds the bundle and prints the steps; touches no account and needs no network. */
async function rehearse(
  config: Config,
  webClient: string | undefined,
  jurisdiction: Jurisdiction,
): Promise<void> {
  const where = jurisdiction ? ` in the jurisdiction ${jurisdiction}` : ''
  const [bundle, page] = await Promise.all([buildWorker('deployed'), buildAssets(webClient)])
  const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(0)} kB`
  const migrations = listMigrations()
  const steps = [
    ...config.d1_databases.map(
      ({ database_name }) => `find or create the D1 database ${database_name}${where}`,
    ),
    ...(config.r2_buckets ?? []).map(
      ({ bucket_name }) => `find or create the R2 bucket ${bucket_name}${where}`,
    ),
    `make and bind a further D1 database for texts, if the newest has ${megabytes(nextDatabaseAt(settingsOf(config)))} or more; bind those that are there`,
    `apply those of the ${migrations.length} D1 migrations that are not applied yet:`,
    `put the Worker ${config.name} online: ${kilobytes(bundle.size)}, ${kilobytes(bundle.gzipSize)} compressed,`,
    `with the page: ${kilobytes(page.firstLoad)} compressed at first load`,
    'and with a new SECRETS_KEY, if the Worker has none',
    ...(webClient === undefined
      ? []
      : [`with the web client of ${webClient} at /, and the page at /parley/`]),
  ]
  console.log(`Dry run: nothing is changed. \`npm run deploy\` would`)
  for (const [index, step] of steps.entries()) {
    console.log(`  ${index + 1}. ${step}`)
    if (step.startsWith('apply')) for (const name of migrations) console.log(`       ${name}`)
  }
  for (const line of aboutAccess(config.vars)) console.log(line)
  console.log(`The bundle is in ${relative(PROJECT, bundle.folder)}`)
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      'dry-run': { type: 'boolean', default: false },
      'web-client': { type: 'string' },
      name: { type: 'string' },
      jurisdiction: { type: 'string' },
    },
  })
  const { jurisdiction } = values
  if (jurisdiction !== undefined && jurisdiction !== 'eu' && jurisdiction !== 'fedramp') {
    throw new Error('The jurisdiction must be eu or fedramp.')
  }
  const written = await readConfig()
  const name = values.name ?? written.name
  if (!NAME.test(name)) throw new Error('The name must be of small letters, digits and hyphens.')
  if (NAME_OF_TEXTS.test(name))
    throw new Error('Names that end so are those of databases for texts: choose another.')
  const config = values.name || jurisdiction ? named(written, name) : written
  await (values['dry-run'] ? rehearse : deploy)(config, values['web-client'], jurisdiction)
}

if (import.meta.main) await main().catch(exitWithError)
