/**
 * `npm run deploy [-- --dry-run] [-- --web-client FOLDER]`: creates what the account lacks, applies new D1 migrations, and deploys the
 * Worker, in that order: the new code needs its tables, and the old code works with them too. A fresh account needs no manual steps.
 *
 * Texts may be in several databases: `parley-bodies-1` and so on are bound as BODIES_1 …, and another one is made when the newest is
 * two thirds full.
 *
 * What is wrong under [vars] is printed at the end; the server ignores it.
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
import { settingProblems } from './check-settings.ts'
import {
  CloudflareAccount,
  type Jurisdiction,
  type ListedDatabase,
  RefusedByCloudflareError,
} from './cloudflare-account.ts'
import { listMigrations, OtherBuildError, requireOwnMigrations } from './migrations.ts'
import { makeSetUpLink, organizationExists } from './organizations.ts'
import { exitWithError, PROJECT, runWrangler, WORK, WRANGLER_CONFIG } from './project.ts'
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
      `The D1 database ${name} exists already, but not in the jurisdiction ${asked}. Choose another --name.`,
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
async function withBodyDatabases(
  config: Config,
  account: CloudflareAccount,
  existing: readonly ListedDatabase[],
): Promise<Config> {
  const [first] = config.d1_databases
  const listed = new Map(existing.map((database) => [database.name, database]))
  const textsOf = (number: number) => `${first!.database_name}-bodies-${number}`
  const bodies: string[] = []
  while (listed.has(textsOf(bodies.length + 1))) bodies.push(textsOf(bodies.length + 1))
  const newest = listed.get(bodies.at(-1) ?? first!.database_name)
  if (newest !== undefined) {
    const { meta } = await account.query(newest, 'SELECT 1 AS one')
    const [size, limit] = [meta?.size_after ?? 0, nextDatabaseAt(settingsOf(config))]
    const next = textsOf(bodies.length + 1)
    console.log(
      `The D1 database ${newest.name} has ${megabytes(size)}; beyond ${megabytes(limit)}, another one is created for texts.`,
    )
    if (size >= limit && bodies.length < MAX_BODY_DATABASES) {
      console.log(`From now on, new texts go to ${next}. Nothing is moved.`)
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

/**
 * Returns the names of the databases that have every migration.
 * @throws {Error} if another build has made one of the databases that there are already.
 */
async function migratedDatabases(
  account: CloudflareAccount,
  config: Config,
  listed: readonly ListedDatabase[],
): Promise<Set<string>> {
  const migrated = new Set<string>()
  for (const { database_name: name } of config.d1_databases) {
    const database = listed.find((each) => each.name === name)
    if (database === undefined) continue
    const applied = await appliedMigrations(account, database)
    try {
      requireOwnMigrations(applied, listMigrations())
      if (applied.length === listMigrations().length) migrated.add(name)
    } catch (error) {
      if (!(error instanceof OtherBuildError)) throw error
      throw new Error(
        `The D1 database ${name} was made by ${error.build} Parley, whose data this version cannot read, so nothing was changed. ` +
          'Deploy that version, or create another deployment with --name NAME (`npm run reset` deletes only local state).',
      )
    }
  }
  return migrated
}

/** Returns the names of the migrations that a database has; none if its first deployment failed before that. */
async function appliedMigrations(account: CloudflareAccount, database: ListedDatabase): Promise<string[]> {
  try {
    const { results } = await account.query(database, 'SELECT name FROM d1_migrations ORDER BY id')
    return results.map(({ name }) => name)
  } catch (error) {
    if (error instanceof RefusedByCloudflareError && error.message.includes('no such table: d1_migrations'))
      return []
    throw error
  }
}

async function createDatabase(
  account: CloudflareAccount,
  name: string,
  jurisdiction: Jurisdiction,
): Promise<ListedDatabase> {
  console.log(`Creating the D1 database ${name} …`)
  const created = await account.createDatabase(name, jurisdiction)
  try {
    await account.replicate(created)
    console.log(`Its read replication is on, so texts and search are read from the nearest copy.`)
  } catch (error) {
    // A failure here does not stop the deployment.
    const why = error instanceof Error ? error.message : String(error)
    console.log(
      `Its read replication could not be switched on (${why}). You can switch it on in the database's settings in Cloudflare's dashboard.`,
    )
  }
  return created
}

/**
 * Makes paths absolute, since wrangler reads them relative to the file.
 * @param folders those of the Worker's bundle, which is deployed as it is, and of the page
 */
function writeDeployConfig(
  config: Config,
  account: CloudflareAccount,
  databases: ReadonlyMap<string, ListedDatabase>,
  folders: { worker: string; page: string },
): void {
  const complete: Config = {
    ...config,
    account_id: account.id,
    main: join(folders.worker, MAIN_MODULE),
    no_bundle: true,
    assets: { ...config.assets, directory: folders.page },
    d1_databases: config.d1_databases.map((database) => ({
      ...database,
      database_id: databases.get(database.database_name)?.uuid,
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
  const account = await CloudflareAccount.open()
  const listed = await account.databases()
  const where = jurisdictionFor(written, jurisdiction, listed)
  const [bundle, page] = await Promise.all([buildWorker('deployed'), buildAssets(webClient)])
  const config = await withBodyDatabases(keptIn(written, where), account, listed)
  const migrated = await migratedDatabases(account, config, listed)
  const databases = new Map(listed.map((database) => [database.name, database]))
  for (const { database_name: name } of config.d1_databases) {
    if (!databases.has(name)) databases.set(name, await createDatabase(account, name, where))
  }
  for (const { bucket_name } of config.r2_buckets ?? []) await account.ensureBucket(bucket_name, where)
  writeDeployConfig(config, account, databases, { worker: bundle.folder, page: page.folder })
  const withConfig = ['--config', DEPLOY_CONFIG]
  for (const { database_name: name } of config.d1_databases) {
    if (migrated.has(name)) continue
    await runWrangler(['d1', 'migrations', 'apply', name, '--remote', ...withConfig], { show: true })
  }
  const output = await withSecretsKey(account, config, (secrets) =>
    runWrangler(['deploy', ...withConfig, ...secrets], { show: 'too' }),
  )
  const write = (sql: string) => account.query(databases.get(config.d1_databases[0]!.database_name)!, sql)
  console.log(`\nOnline. ${(await howToBegin(hostIn(output), write)).join('\n')}`)
  for (const line of [...settingProblems(config.vars), ...aboutAccess(config.vars)]) console.log(line)
}

/**
 * Sets SECRETS_KEY at the first deployment, and never again, since what it has sealed would be lost.
 * @param deployWith is called with the arguments that set it, if it is missing.
 */
async function withSecretsKey(
  account: CloudflareAccount,
  { name, vars }: Config,
  deployWith: (secrets: string[]) => Promise<string>,
): Promise<string> {
  if (vars?.SECRETS_KEY !== undefined || (await account.secretsOf(name)).includes('SECRETS_KEY'))
    return deployWith([])
  const file = join(DEPLOY_CONFIG, '..', 'secrets.json')
  writeFileSync(file, JSON.stringify({ SECRETS_KEY: newSecretsKey() }), { mode: 0o600 })
  try {
    const output = await deployWith(['--secrets-file', file])
    console.log('A new SECRETS_KEY was set, which encrypts the secrets of organizations.')
    return output
  } finally {
    rmSync(file)
  }
}

/** Returns the host at which the Worker answers, from wrangler's output: a domain of the account, or else that of workers.dev. */
function hostIn(output: string): string | undefined {
  const [, own] = /^\s*([\w.-]+)[^\n]* \(custom domain\)/m.exec(output) ?? []
  return own ?? /https:\/\/([\w.-]+\.workers\.dev)/.exec(output)?.[1]
}

/** Prints a link that makes an organization, if none is known at the host. */
async function howToBegin(
  host: string | undefined,
  write: (sql: string) => Promise<unknown>,
): Promise<string[]> {
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
  const link = await makeSetUpLink(url, host, write)
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
  for (const line of [...settingProblems(config.vars), ...aboutAccess(config.vars)]) console.log(line)
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
  if (!NAME.test(name)) throw new Error('The name must consist of lower-case letters, digits and hyphens.')
  if (NAME_OF_TEXTS.test(name))
    throw new Error('Names that end like this belong to databases for texts. Choose another.')
  const config = values.name || jurisdiction ? named(written, name) : written
  await (values['dry-run'] ? rehearse : deploy)(config, values['web-client'], jurisdiction)
}

if (import.meta.main) await main().catch(exitWithError)
