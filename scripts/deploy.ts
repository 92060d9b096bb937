/**
 * `npm run deploy [-- --dry-run] [-- --web-client FOLDER]`: makes what the account lacks, brings the D1 schema up to date, and
 * puts the Worker online, in that order: the new code must find its tables, and the old code must get
 * along with them for the moment between. A fresh account needs nothing made by hand.
 *
 * Texts may be in several databases: `parley-bodies-1` and so on are bound as BODIES_1 …, and the next is made when the newest is two
 * thirds full.
 *
 * `--name NAME` is another deployment in the same account, with a Worker, a database and a bucket of its own; `--jurisdiction eu`
 * (or `fedramp`) makes it so that what it stores stays there, for a deployment that is new.
 *
 * What is needed stands in wrangler.toml. The ids that the account gives are written to a copy under
 * `.parley/`, since they are nobody else's.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { type BodyDatabaseSettings, MOST_BODY_DATABASES, nextDatabaseAt } from '../src/d1/body-databases.ts'
import { buildWorker } from './build.ts'
import { listMigrations } from './migrations.ts'
import { makeSetUpLink, organizationExists } from './organizations.ts'
import { exitWithError, PROJECT, ProgramFailedError, runWrangler, WORK, WRANGLER_CONFIG } from './project.ts'
import { buildAssets } from './web-client.ts'

/** The part of wrangler.toml that is read here; the rest is passed on as it is. */
interface Config extends Record<string, unknown> {
  name: string
  main: string
  d1_databases: { binding: string; database_name: string; database_id?: string; migrations_dir?: string }[]
  r2_buckets?: { binding: string; bucket_name: string; jurisdiction?: string }[]
  vars?: Record<string, string>
  assets: { directory: string }
}

const DEPLOY_CONFIG = join(WORK, 'deploy', 'wrangler.json')

async function readConfig(): Promise<Config> {
  const { experimental_readRawConfig } = await import('wrangler')
  return experimental_readRawConfig({ config: WRANGLER_CONFIG }).rawConfig as unknown as Config
}

/** @throws {Error} that says how to log in. */
async function requireLogin(): Promise<void> {
  const answer = await runWrangler(['whoami', '--json']).catch((error: ProgramFailedError) => error.output)
  if (/"loggedIn":\s*false/.test(answer)) {
    throw new Error(
      'Not logged in to Cloudflare. Run `npx wrangler login`, or set CLOUDFLARE_API_TOKEN, and try again.',
    )
  }
}

/** What is made once and never moved. */
type Jurisdiction = 'eu' | 'fedramp' | undefined

const NAME = /^[a-z0-9]([a-z0-9-]{0,40}[a-z0-9])?$/

/** The deployment of this name, apart from every other in the account. */
function configOf(config: Config, name: string, jurisdiction: Jurisdiction): Config {
  return {
    ...config,
    name,
    d1_databases: config.d1_databases.map((each) => ({ ...each, database_name: name })),
    r2_buckets: (config.r2_buckets ?? []).map((each) => ({
      ...each,
      bucket_name: `${name}-uploads`,
      ...(jurisdiction ? { jurisdiction } : {}),
    })),
    ...(jurisdiction ? { vars: { ...config.vars, JURISDICTION: jurisdiction } } : {}),
  }
}

/** A name that is an organization's texts in another deployment would be both. */
const NAME_OF_TEXTS = /-bodies-\d+$/

/**
 * The databases for texts beside `DB`, those that the account has of this deployment, and one more where the newest is two thirds full.
 * Nothing is moved: new texts go to the newest.
 */
async function withBodyDatabases(config: Config): Promise<Config> {
  const [first] = config.d1_databases
  const listed = new Set((await listDatabases()).map(({ name }) => name))
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
    if (size >= limit && bodies.length < MOST_BODY_DATABASES) {
      console.log(`So new texts go to ${next} from now on. Nothing is moved.`)
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

/** In bytes, as an answer of the database itself tells it. */
async function sizeOfDatabase(name: string): Promise<number> {
  const answer = await runWrangler([
    ...['d1', 'execute', name, '--remote', '--yes', '--json'],
    ...['--command', 'SELECT 1 AS one'],
  ])
  const [result] = JSON.parse(answer) as { meta?: { size_after?: number } }[]
  return result?.meta?.size_after ?? 0
}

/**
 * @returns the database's id.
 * @throws {Error} where it is there, and not in the jurisdiction: nothing moves it.
 */
async function ensureDatabase(name: string, jurisdiction: Jurisdiction): Promise<string> {
  const found = await findDatabase(name)
  if (found !== undefined) {
    if (jurisdiction !== undefined && found.jurisdiction !== jurisdiction) {
      throw new Error(
        `The D1 database ${name} is there already, and not in the jurisdiction ${jurisdiction}. Choose another --name.`,
      )
    }
    return found.uuid
  }
  console.log(`Creating the D1 database ${name} …`)
  await runWrangler(['d1', 'create', name, ...(jurisdiction ? ['--jurisdiction', jurisdiction] : [])])
  const created = await findDatabase(name)
  if (created === undefined)
    throw new Error(`The D1 database ${name} was created, but is not listed yet. Try again.`)
  return created.uuid
}

interface ListedDatabase {
  uuid: string
  name: string
  jurisdiction?: Jurisdiction | null
}

async function findDatabase(name: string): Promise<ListedDatabase | undefined> {
  return (await listDatabases()).find((database) => database.name === name)
}

async function listDatabases(): Promise<ListedDatabase[]> {
  return JSON.parse(await runWrangler(['d1', 'list', '--json'])) as ListedDatabase[]
}

/** A bucket has no id, so creating it and being told that it is ours already comes to the same. */
async function ensureBucket(name: string, jurisdiction: Jurisdiction): Promise<void> {
  const where = jurisdiction ? ['--jurisdiction', jurisdiction] : []
  await runWrangler(['r2', 'bucket', 'create', name, ...where]).catch((error: unknown) => {
    if (!(error instanceof ProgramFailedError && /\[code: 10004\]/.test(error.output))) throw error
  })
}

/** wrangler reads paths from where the file is, so they are made whole. */
function writeDeployConfig(config: Config, databaseIds: Map<string, string>, pageFolder: string): void {
  const complete: Config = {
    ...config,
    main: join(PROJECT, config.main),
    assets: { ...config.assets, directory: pageFolder },
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
  const page = await buildAssets(webClient)
  const config = await withBodyDatabases(written)
  // Texts stay where the first database is, whether it is said again or not.
  const first = await findDatabase(config.d1_databases[0]!.database_name)
  const where = jurisdiction ?? first?.jurisdiction ?? undefined
  const ids = new Map<string, string>()
  for (const { database_name } of config.d1_databases) {
    ids.set(database_name, await ensureDatabase(database_name, where))
  }
  for (const { bucket_name } of config.r2_buckets ?? []) await ensureBucket(bucket_name, jurisdiction)
  writeDeployConfig(config, ids, page.folder)
  const withConfig = ['--config', DEPLOY_CONFIG]
  for (const { database_name } of config.d1_databases) {
    await runWrangler(['d1', 'migrations', 'apply', database_name, '--remote', ...withConfig], { show: true })
  }
  const output = await runWrangler(['deploy', ...withConfig], { show: 'too' })
  console.log(`\nOnline. ${(await howToBegin(hostIn(output), config.name)).join('\n')}`)
}

/** The name at which the Worker answers, as wrangler has printed it: a domain of one's own, else that of workers.dev. */
function hostIn(output: string): string | undefined {
  const [, own] = /^\s*([\w.-]+)[^\n]* \(custom domain\)/m.exec(output) ?? []
  return own ?? /https:\/\/([\w.-]+\.workers\.dev)/.exec(output)?.[1]
}

/** Where no organization is known to be, with a link that makes it. */
async function howToBegin(host: string | undefined, deployment: string): Promise<string[]> {
  if (host === undefined) {
    return [
      'An organization is made with',
      '  npm run create-organization -- --remote --name "Acme" --host HOST --owner-email EMAIL --owner-name NAME',
      'where HOST is the name at which the Worker answers (above, without https://).',
    ]
  }
  const url = `https://${host}`
  // A name that is new may not be known everywhere yet.
  if (await organizationExists(url).catch(() => false)) return [`The organization is at ${url}`]
  const link = await makeSetUpLink(url, host, (sql) =>
    runWrangler(['d1', 'execute', deployment, '--remote', '--yes', '--command', sql]),
  )
  return ['Begin here: this link makes the organization and its owner, once, within a week.', `  ${link}`]
}

/** Builds what would be put online and says what would be done; touches no account and needs no network. */
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
    ...(webClient === undefined
      ? []
      : [`with the web client of ${webClient} at /, and the page at /parley/`]),
  ]
  console.log(`Dry run: nothing is changed. \`npm run deploy\` would`)
  for (const [index, step] of steps.entries()) {
    console.log(`  ${index + 1}. ${step}`)
    if (step.startsWith('apply')) for (const name of migrations) console.log(`       ${name}`)
  }
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
  const config = values.name || jurisdiction ? configOf(written, name, jurisdiction) : written
  await (values['dry-run'] ? rehearse : deploy)(config, values['web-client'], jurisdiction)
}

if (import.meta.main) await main().catch(exitWithError)
