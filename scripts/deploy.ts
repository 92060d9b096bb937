/**
 * `npm run deploy [-- --dry-run] [-- --web-client FOLDER]`: makes what the account lacks, brings the D1 schema up to date, and
 * puts the Worker online, in that order: the new code must find its tables, and the old code must get
 * along with them for the moment between. A fresh account needs nothing made by hand.
 *
 * What is needed stands in wrangler.toml. The ids that the account gives are written to a copy under
 * `.parley/`, since they are nobody else's.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
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
  r2_buckets?: { binding: string; bucket_name: string }[]
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

/** @returns the database's id. */
async function ensureDatabase(name: string): Promise<string> {
  const found = await findDatabase(name)
  if (found !== undefined) return found
  console.log(`Creating the D1 database ${name} …`)
  await runWrangler(['d1', 'create', name])
  const created = await findDatabase(name)
  if (created === undefined)
    throw new Error(`The D1 database ${name} was created, but is not listed yet. Try again.`)
  return created
}

async function findDatabase(name: string): Promise<string | undefined> {
  const listed = await runWrangler(['d1', 'list', '--json'])
  const databases = JSON.parse(listed) as { uuid: string; name: string }[]
  return databases.find((database) => database.name === name)?.uuid
}

/** A bucket has no id, so creating it and being told that it is ours already comes to the same. */
async function ensureBucket(name: string): Promise<void> {
  await runWrangler(['r2', 'bucket', 'create', name]).catch((error: unknown) => {
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

async function deploy(config: Config, webClient: string | undefined): Promise<void> {
  await requireLogin()
  const page = await buildAssets(webClient)
  const ids = new Map<string, string>()
  for (const { database_name } of config.d1_databases) {
    ids.set(database_name, await ensureDatabase(database_name))
  }
  for (const { bucket_name } of config.r2_buckets ?? []) await ensureBucket(bucket_name)
  writeDeployConfig(config, ids, page.folder)
  const withConfig = ['--config', DEPLOY_CONFIG]
  for (const { database_name } of config.d1_databases) {
    await runWrangler(['d1', 'migrations', 'apply', database_name, '--remote', ...withConfig], { show: true })
  }
  const output = await runWrangler(['deploy', ...withConfig], { show: 'too' })
  console.log(`\nOnline. ${(await howToBegin(hostIn(output))).join('\n')}`)
}

/** The name at which the Worker answers, as wrangler has printed it: a domain of one's own, else that of workers.dev. */
function hostIn(output: string): string | undefined {
  const [, own] = /^\s*([\w.-]+)[^\n]* \(custom domain\)/m.exec(output) ?? []
  return own ?? /https:\/\/([\w.-]+\.workers\.dev)/.exec(output)?.[1]
}

/** Where no organization is known to be, with a link that makes it. */
async function howToBegin(host: string | undefined): Promise<string[]> {
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
    runWrangler(['d1', 'execute', 'parley', '--remote', '--yes', '--command', sql]),
  )
  return ['Begin here: this link makes the organization and its owner, once, within a week.', `  ${link}`]
}

/** Builds what would be put online and says what would be done; touches no account and needs no network. */
async function rehearse(config: Config, webClient: string | undefined): Promise<void> {
  const [bundle, page] = await Promise.all([buildWorker('deployed'), buildAssets(webClient)])
  const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(0)} kB`
  const migrations = listMigrations()
  const steps = [
    ...config.d1_databases.map(({ database_name }) => `find or create the D1 database ${database_name}`),
    ...(config.r2_buckets ?? []).map(({ bucket_name }) => `find or create the R2 bucket ${bucket_name}`),
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
    options: { 'dry-run': { type: 'boolean', default: false }, 'web-client': { type: 'string' } },
  })
  const config = await readConfig()
  await (values['dry-run'] ? rehearse : deploy)(config, values['web-client'])
}

if (import.meta.main) await main().catch(exitWithError)
