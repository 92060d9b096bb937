/**
 * `npm run deploy [-- --dry-run] [-- --yes] [-- --web-client FOLDER]`: says what it will change, creates what the account lacks, applies new
 * D1 migrations, and deploys the Worker, in that order: the new code needs its tables, and the old code works with them too. A fresh account
 * needs no manual steps. Before what cannot be taken back it asks, unless `--yes` is given, or Workers Builds runs it.
 *
 * Texts may be in several databases: `parley-bodies-1` and so on are bound as BODIES_1 …, and another one is made when the newest is
 * two thirds full.
 *
 * Where R2 is off, files are kept in D1; a bucket that is there later gets them (file-plan.ts).
 *
 * What is wrong under [vars] is printed at the end; the server ignores it.
 *
 * The command refuses a deployment that an incompatible build has made, before it changes anything.
 *
 * `--name NAME` is another deployment in the same account, with a Worker, a database and a bucket of its own. `--jurisdiction eu`
 * (`fedramp`, `us`) makes a new deployment whose data stays in the jurisdiction; later runs detect it.
 *
 * `--spend-limit 20` has Cloudflare block what the account uses beyond 20 dollars a month, and `--spend-mail ADDRESS` mail before (spend-limit.ts);
 * `--spend-limit off` ends that.
 *
 * Databases have read replication, so texts and search are read from the nearest copy.
 *
 * wrangler.toml lists the resources. Their ids, which belong to this account alone, are written to a copy under `.parley/`.
 */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { SCHEMA_STEPS } from '../src/store/schema/schema.ts'
import { aboutAccess } from './access-paths.ts'
import { isAgreedTo } from './agreement.ts'
import { buildWorker, MAIN_MODULE, type WorkerBundle } from './build.ts'
import type { PageBuild } from './build-page.ts'
import { settingProblems } from './check-settings.ts'
import {
  CloudflareAccount,
  type Jurisdiction,
  type ListedDatabase,
  readJurisdiction,
  remoteD1,
} from './cloudflare-account.ts'
import { type Config, named, readConfig } from './deployment-config.ts'
import {
  type DeploymentPlan,
  type PlannedStep,
  type PlannedSteps,
  planDeployment,
  planForAny,
  type SeenAccount,
  STEP_VARIABLE,
} from './deployment-plan.ts'
import { hostInOtherAccount, makeSetUpLink, moveOrganization, organizationExists } from './organizations.ts'
import { exitWithError, PROJECT, runWrangler, WORK } from './project.ts'
import { readSpendLimit, setSpendLimit } from './spend-limit.ts'
import { newSecretsKey } from './state-folder.ts'
import { buildAssets } from './web-client.ts'

/** Of this process alone: two deployments may be made at once. */
const DEPLOY_FOLDER = join(WORK, 'deploy', String(process.pid))
const DEPLOY_CONFIG = join(DEPLOY_FOLDER, 'wrangler.json')

const NAME = /^[a-z0-9]([a-z0-9-]{0,40}[a-z0-9])?$/

/** The form of the names of databases for texts. A deployment with such a name would share a database with another. */
const NAME_OF_TEXTS = /-bodies-\d+$/

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
    vars: { ...config.vars, [STEP_VARIABLE]: String(SCHEMA_STEPS.length) },
    d1_databases: config.d1_databases.map((database) => ({
      ...database,
      database_id: databases.get(database.database_name)?.uuid,
      migrations_dir: join(PROJECT, database.migrations_dir ?? 'migrations'),
    })),
  }
  mkdirSync(DEPLOY_FOLDER, { recursive: true })
  process.once('exit', () => rmSync(DEPLOY_FOLDER, { recursive: true, force: true }))
  writeFileSync(DEPLOY_CONFIG, `${JSON.stringify(complete, null, 2)}\n`)
}

interface DeployOptions {
  readonly webClient: string | undefined
  readonly jurisdiction: Jurisdiction
  /** Whether the question is answered already. */
  readonly isAgreed: boolean
}

/** Returns the host at which the Worker answers, if wrangler says it. */
export async function deploy(
  written: Config,
  { webClient, jurisdiction, isAgreed }: DeployOptions,
): Promise<string | undefined> {
  const seen = await seeAccount()
  const [plan, built] = [await planDeployment(written, jurisdiction, seen), await build(webClient)]
  console.log('`npm run deploy` will')
  printSteps(stepsOf(plan, built))
  await requireAgreement(plan.forGood, isAgreed)
  const host = await carryOut(plan, built, seen)
  printNotes(plan, plan.config)
  return host
}

async function seeAccount(): Promise<SeenAccount> {
  const account = await CloudflareAccount.open()
  return { account, databases: await account.databases() }
}

interface Built {
  readonly worker: WorkerBundle
  readonly page: PageBuild
  readonly webClient: string | undefined
}

async function build(webClient: string | undefined): Promise<Built> {
  const [worker, page] = await Promise.all([buildWorker('deployed'), buildAssets(webClient)])
  return { worker, page, webClient }
}

/** @throws {Error} unless what cannot be taken back was agreed to, or there is nothing such */
async function requireAgreement(forGood: readonly string[], isAgreed: boolean): Promise<void> {
  if (forGood.length === 0) return
  console.log('This cannot be taken back (docs/operations.md#going-back):')
  for (const sentence of forGood) console.log(`  ${sentence}`)
  if (isAgreed || (await isAgreedTo('Go on?'))) return
  throw new Error('Nothing was changed. `npm run deploy -- --yes` goes on without a question.')
}

async function carryOut(
  { config, jurisdiction, pending, lacksSecretsKey }: DeploymentPlan,
  { worker, page }: Built,
  { account, databases: listed }: SeenAccount,
): Promise<string | undefined> {
  const databases = new Map(listed.map((database) => [database.name, database]))
  for (const { database_name: name } of config.d1_databases) {
    if (!databases.has(name)) databases.set(name, await createDatabase(account, name, jurisdiction))
  }
  for (const { bucket_name } of config.r2_buckets ?? []) await account.ensureBucket(bucket_name, jurisdiction)
  writeDeployConfig(config, account, databases, { worker: worker.folder, page: page.folder })
  const withConfig = ['--config', DEPLOY_CONFIG]
  for (const [name, migrations] of pending) {
    if (migrations.length === 0) continue
    const apply = ['d1', 'migrations', 'apply', name, '--remote', ...withConfig]
    // With `CI` wrangler asks no question of its own, whose "no" would leave the new code without its tables.
    await runWrangler(apply, { show: true, env: { CI: 'true' } })
  }
  return withSecretsKey(lacksSecretsKey, (secrets) =>
    runWrangler(['deploy', ...withConfig, ...secrets], { show: 'too' }),
  ).then(hostIn)
}

/**
 * Sets SECRETS_KEY at the first deployment, and never again, since what it has sealed would be lost.
 * @param deployWith is called with the arguments that set it, if it is missing.
 */
async function withSecretsKey(
  isMissing: boolean,
  deployWith: (secrets: string[]) => Promise<string>,
): Promise<string> {
  if (!isMissing) return deployWith([])
  const file = join(DEPLOY_FOLDER, 'secrets.json')
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

/** Returns a link that makes an organization, if none is known at the host. */
async function howToBegin({ d1_databases: [database] }: Config, host: string | undefined): Promise<string[]> {
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
  const write = remoteD1(database!.database_name)
  const { results } = await write(`SELECT host AS name FROM realm WHERE host LIKE '%.workers.dev' LIMIT 100`)
  const from = hostInOtherAccount(
    host,
    results.map((row) => row.name),
  )
  if (from !== undefined) {
    // A deployment that was claimed: the account has another name.
    await moveOrganization(url, write, { from, to: host })
    return [`The organization has moved from ${from} to ${url}. People log in again there.`]
  }
  const link = await makeSetUpLink(url, host, write)
  return [
    'Begin here: this link makes the organization and its owner, once, within a week.',
    `  ${link}`,
    `The page at ${url} asks for the code, which is the end of the link.`,
  ]
}

/** Builds the bundle and prints the steps: those for the account, or without one those for any. Changes nothing. */
async function rehearse(written: Config, { webClient, jurisdiction }: DeployOptions): Promise<void> {
  const seen = await seeAccount().catch((error: Error) => error)
  const plan =
    seen instanceof Error
      ? planForAny(written, jurisdiction)
      : await planDeployment(written, jurisdiction, seen)
  const built = await build(webClient)
  console.log('Dry run: nothing is changed. `npm run deploy` would')
  printSteps(stepsOf(plan, built))
  if (seen instanceof Error) console.log(`The account could not be looked at: ${seen.message}`)
  for (const sentence of plan.forGood) console.log(`This cannot be taken back: ${sentence}`)
  printNotes(plan, written)
  console.log(`The bundle is in ${relative(PROJECT, built.worker.folder)}`)
}

function stepsOf(
  { before, online, lacksSecretsKey, after }: PlannedSteps,
  { worker, page, webClient }: Built,
): PlannedStep[] {
  const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(0)} kB`
  return [
    ...before,
    [`${online}: ${kilobytes(worker.size)}, ${kilobytes(worker.gzipSize)} compressed`],
    [`with the page: ${kilobytes(page.firstLoad)} compressed at first load`],
    ...(webClient === undefined
      ? []
      : [[`with the web client of ${webClient} at /, and the page at /parley/`] as const]),
    ...(lacksSecretsKey === false
      ? []
      : [[`with a new SECRETS_KEY${lacksSecretsKey ? '' : ', if it has none'}`] as const]),
    ...after,
  ]
}

function printNotes({ notes }: PlannedSteps, { vars }: Config): void {
  for (const line of [...notes, ...settingProblems(vars), ...aboutAccess(vars)]) console.log(line)
}

function printSteps(steps: readonly PlannedStep[]): void {
  for (const [index, [line, names = []]] of steps.entries()) {
    console.log(`  ${index + 1}. ${line}`)
    for (const name of names) console.log(`       ${name}`)
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      'dry-run': { type: 'boolean', default: false },
      yes: { type: 'boolean', default: false },
      'web-client': { type: 'string' },
      name: { type: 'string' },
      jurisdiction: { type: 'string' },
      'spend-limit': { type: 'string' },
      'spend-mail': { type: 'string' },
    },
  })
  const jurisdiction = readJurisdiction(values.jurisdiction)
  const written = await readConfig()
  const name = values.name ?? written.name
  if (!NAME.test(name)) throw new Error('The name must consist of lower-case letters, digits and hyphens.')
  if (NAME_OF_TEXTS.test(name))
    throw new Error('Names that end like this belong to databases for texts. Choose another.')
  const config = values.name || jurisdiction ? named(written, name) : written
  // In Workers Builds a push is the yes, and nobody could be asked.
  const isAgreed = values.yes || process.env.WORKERS_CI === '1'
  const options: DeployOptions = { webClient: values['web-client'], jurisdiction, isAgreed }
  const limit = values['spend-limit']
  const spendLimit = limit === undefined ? undefined : readSpendLimit(limit, values['spend-mail'])
  if (values['dry-run']) return rehearse(config, options)
  const host = await deploy(config, options)
  if (spendLimit) {
    for (const line of await setSpendLimit(await CloudflareAccount.open(), spendLimit)) console.log(line)
  }
  console.log(`\nOnline. ${(await howToBegin(config, host)).join('\n')}`)
}

if (import.meta.main) await main().catch(exitWithError)
