/** What a deployment finds in the account and will change there: it is said before anything is changed. */
import { MAX_BODY_DATABASES, nextDatabaseAt } from '../src/store/d1/body-databases.ts'
import { SCHEMA_STEPS } from '../src/store/schema/schema.ts'
import {
  type CloudflareAccount,
  type Jurisdiction,
  type ListedDatabase,
  RefusedByCloudflareError,
} from './cloudflare-account.ts'
import { type Config, keptIn, settingsOf } from './deployment-config.ts'
import { planFiles, type SeenBindings } from './file-plan.ts'
import { listMigrations, OtherBuildError, requireOwnMigrations } from './migrations.ts'

/** The variable of a deployed Worker that tells the next deployment the last step of its schema. */
export const STEP_VARIABLE = 'SCHEMA_STEP'

/** The account as it was found. */
export interface SeenAccount {
  readonly account: CloudflareAccount
  readonly databases: readonly ListedDatabase[]
}

/** What a deployment does, in words. */
export interface PlannedSteps {
  /** What is done before the Worker is deployed. */
  readonly before: readonly PlannedStep[]
  /** How the Worker is put online. */
  readonly online: string
  /** Undefined: not known. */
  readonly lacksSecretsKey: boolean | undefined
  /** What follows. */
  readonly after: readonly PlannedStep[]
  /** What cannot be taken back, in sentences. */
  readonly forGood: readonly string[]
  /** What else one should know, in sentences. */
  readonly notes: readonly string[]
}

export interface DeploymentPlan extends PlannedSteps {
  readonly lacksSecretsKey: boolean
  readonly config: Config
  readonly jurisdiction: Jurisdiction
  /** The migrations that each of its databases lacks, by name. */
  readonly pending: ReadonlyMap<string, readonly string[]>
}

/** A line of the plan, with the names of what it is about. */
export type PlannedStep = readonly [line: string, names?: readonly string[]]

/**
 * Returns what deploying will change, and changes nothing.
 * @throws {Error} if another build has made one of the databases, or a newer one is deployed
 */
export async function planDeployment(
  written: Config,
  asked: Jurisdiction,
  { account, databases: listed }: SeenAccount,
): Promise<DeploymentPlan> {
  const jurisdiction = jurisdictionFor(written, asked, listed)
  const bindings = await account.bindingsOf(written.name)
  const files = await planFiles(written, bindings, { account, databases: listed })
  const placed = keptIn(files.config, jurisdiction)
  const config = await withBodyDatabases(placed, account, listed)
  const databases = await Promise.all(
    config.d1_databases.map((each) => lookAt(account, each.database_name, listed)),
  )
  const steps = stepsToMake(config.name, bindings)
  const deployedClasses = new Set([...(bindings?.values() ?? [])].map(({ class_name: name }) => name))
  const newClasses = config.durable_objects.bindings.flatMap(({ class_name: name }) =>
    bindings === undefined || deployedClasses.has(name) ? [] : [name],
  )
  const buckets = await Promise.all(
    (config.r2_buckets ?? []).map(async ({ bucket_name: name }) => ({
      name,
      isNew: !(await account.hasBucket(name, jurisdiction)),
    })),
  )
  const place = placeIn(jurisdiction)
  const resources = [
    ...databases.map(({ name, isNew }) => ({ what: `D1 database ${name}`, isNew })),
    ...buckets.map(({ name, isNew }) => ({ what: `R2 bucket ${name}`, isNew })),
  ]
  const unmigrated = databases.filter(({ pending }) => pending.length > 0)
  return {
    config,
    jurisdiction,
    pending: new Map(databases.map(({ name, pending }) => [name, pending])),
    lacksSecretsKey:
      config.vars?.SECRETS_KEY === undefined &&
      !(await account.secretsOf(config.name)).includes('SECRETS_KEY'),
    before: [
      ...files.before,
      ...resources.map(
        ({ what, isNew }): PlannedStep => [isNew ? `create the ${what}${place}` : `use the ${what}`],
      ),
      ...unmigrated.map(({ name, pending }): PlannedStep => [`apply to the D1 database ${name}:`, pending]),
    ],
    online: `put the Worker ${config.name} online ${bindings ? 'in place of the present version' : 'for the first time'}`,
    after: [
      ...files.after,
      ...(steps.names.length > 0
        ? [[`make in each organization, when its object next wakes, ${steps.which}:`, steps.names] as const]
        : []),
    ],
    notes: files.notes,
    forGood: [
      ...unmigrated
        .filter(({ applied }) => applied > 0)
        .map(
          ({ name, pending }) =>
            `The D1 database ${name} gets ${pending.join(', ')}, and earlier versions refuse it then.`,
        ),
      ...(steps.names.length > 0
        ? ['Organizations get new steps of the schema, and earlier versions answer 503 to them then.']
        : []),
      ...newClasses.map(
        (name) =>
          `The Worker gets the class of objects ${name}, and Cloudflare takes no earlier version then.`,
      ),
    ],
  }
}

/** Returns what deploying does in whatever account. */
export function planForAny(config: Config, jurisdiction: Jurisdiction): PlannedSteps {
  const place = placeIn(jurisdiction)
  const migrations = listMigrations()
  const full = megabytes(nextDatabaseAt(settingsOf(config)))
  return {
    before: [
      ...config.d1_databases.map(
        ({ database_name: name }): PlannedStep => [`find or create the D1 database ${name}${place}`],
      ),
      ...(config.r2_buckets ?? []).map(
        ({ bucket_name: name }): PlannedStep => [`find or create the R2 bucket ${name}${place}`],
      ),
      [
        `create and bind a further D1 database for texts, if the newest has ${full} or more; bind those that are there`,
      ],
      [`apply those of the ${migrations.length} D1 migrations that are not applied yet:`, migrations],
    ],
    online: `put the Worker ${config.name} online`,
    lacksSecretsKey: undefined,
    after: [[`make in each organization, when its object next wakes, ${THOSE_IT_LACKS}:`, namesOfSteps()]],
    forGood: ['After new migrations or steps, earlier versions refuse the data.'],
    notes: [],
  }
}

const THOSE_IT_LACKS = 'those of these steps of the schema that it lacks'

function namesOfSteps(): string[] {
  return SCHEMA_STEPS.map(({ version, name }) => `${version} ${name}`)
}

function placeIn(jurisdiction: Jurisdiction): string {
  return jurisdiction === undefined ? '' : ` in the jurisdiction ${jurisdiction}, where it stays`
}

interface SeenDatabase {
  readonly name: string
  readonly isNew: boolean
  readonly applied: number
  readonly pending: readonly string[]
}

async function lookAt(
  account: CloudflareAccount,
  name: string,
  listed: readonly ListedDatabase[],
): Promise<SeenDatabase> {
  const known = listMigrations()
  const database = listed.find((each) => each.name === name)
  if (database === undefined) return { name, isNew: true, applied: 0, pending: known }
  const applied = await appliedMigrations(account, database)
  try {
    requireOwnMigrations(applied, known)
  } catch (error) {
    if (!(error instanceof OtherBuildError)) throw error
    throw new Error(
      `The D1 database ${name} was made by ${error.build} Parley, whose data this version cannot read, so nothing was changed. ` +
        'Deploy that version, or create another deployment with --name NAME (`npm run reset` deletes only local state).',
    )
  }
  return { name, isNew: false, applied: applied.length, pending: known.slice(applied.length) }
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

/**
 * Returns the steps that organizations may lack, by what the deployed Worker says.
 * @param bindings its own; undefined before the first deployment
 * @throws {Error} if it is of a newer version
 */
function stepsToMake(
  worker: string,
  bindings: SeenBindings,
): { readonly which: string; readonly names: readonly string[] } {
  const named = namesOfSteps()
  if (!bindings) return { which: '', names: [] }
  const deployed = bindings.get(STEP_VARIABLE)?.text
  if (deployed === undefined) return { which: THOSE_IT_LACKS, names: named }
  if (Number(deployed) > named.length) {
    throw new Error(
      `The Worker ${worker} was deployed by a newer Parley (step ${deployed} of the schema, where this version has ${named.length}). ` +
        'This version cannot read its organizations, so nothing was changed. Deploy that version.',
    )
  }
  return { which: 'these steps of the schema', names: named.slice(Number(deployed)) }
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
      console.log(`From now on, new texts go to ${next}. Nothing is moved. It must stay bound.`)
      bodies.push(next)
    }
  }
  const bound = bodies.map((database_name, at) => ({ ...first!, binding: `BODIES_${at + 1}`, database_name }))
  return { ...config, d1_databases: [...config.d1_databases, ...bound] }
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1_000_000)} MB`
}
