import { ACCOUNTS_IN_D1 } from './accounts-in-d1.ts'
import { USED_ACCOUNT_STATEMENTS } from './accounts-used.ts'
import { BACKUP_READINGS } from './backup-readings.ts'
import { BACKUPS } from './backups.ts'
import { TAKEN_OVER_BOTS } from './bots.ts'
import { CHANNEL_TABLES } from './channels.ts'
import { CONTINUATIONS_IN_ONE_FORM } from './continuations.ts'
import { UNQUALIFIED_REACTIONS, UNQUALIFIED_STATUSES } from './emoji-codes.ts'
import { ERASURES } from './erasures.ts'
import { FILE_TABLES } from './files.ts'
import { HOLDS } from './holds.ts'
import { IMPORTED_CHANGES } from './imported-changes.ts'
import { KEPT_BACKUPS } from './kept-backups.ts'
import { LOG_TABLES } from './log.ts'
import { LOGIN_TABLES, PROVISIONING_TABLES } from './logging-in.ts'
import { CHOICES_OF_PROVIDERS } from './login-providers.ts'
import { MESSAGE_TABLES } from './messages.ts'
import { MOVED_AND_DELETED } from './moved-and-deleted.ts'
import { NETWORKS_OF_USERS } from './networks-of-users.ts'
import { NEUTRAL_EXPORTS } from './neutral-exports.ts'
import { ORGANIZATION_TABLES } from './organization.ts'
import { OUTGOING_TABLES } from './outgoing.ts'
import { PEOPLE_TABLES, PERSONAL_TABLES } from './people.ts'
import { PINS } from './pins.ts'
import { QUOTA_STATEMENTS } from './quotas.ts'
import { REPLACED_SETTINGS } from './replaced-settings.ts'
import { OPEN_REWRITE, type Rewrite } from './rewrites.ts'
import { USAGE } from './usage.ts'

/**
 * The realm object's SQLite schema: an append-only list of steps. A step is never edited once it has been released; when it starts, the
 * object applies steps that it has not seen, and the list checks itself (CONTRIBUTING.md#how-to-change-the-schema).
 *
 * Ids of rows that clients see rise and are never reused (AUTOINCREMENT, or a counter in `meta`). Each secondary index is one more row
 * written, and billed, for every insert: think before adding one.
 */
export interface SchemaStep {
  /** Position in the list, from 1. */
  readonly version: number
  readonly name: string
  /** What must be true before the next call: tables, columns, and rows of which there are at most some ten thousand. */
  readonly statements: readonly string[]
  /** What goes on behind, after the rewrites of earlier steps. */
  readonly rewrite?: Rewrite
}

export const SCHEMA_STEPS: readonly SchemaStep[] = [
  {
    version: 1,
    name: 'first-schema',
    statements: [
      ...ORGANIZATION_TABLES,
      ...PEOPLE_TABLES,
      ...LOGIN_TABLES,
      ...PROVISIONING_TABLES,
      ...CHANNEL_TABLES,
      ...MESSAGE_TABLES,
      ...PERSONAL_TABLES,
      ...LOG_TABLES,
      ...FILE_TABLES,
      ...OUTGOING_TABLES,
      ...QUOTA_STATEMENTS,
    ],
  },
  { version: 2, name: 'networks-of-users', statements: NETWORKS_OF_USERS },
  { version: 3, name: 'used-accounts', statements: USED_ACCOUNT_STATEMENTS },
  { version: 4, name: 'taken-over-bots', statements: TAKEN_OVER_BOTS },
  { version: 5, name: 'replaced-settings', statements: REPLACED_SETTINGS },
  {
    version: 6,
    name: 'unqualified-emoji',
    statements: UNQUALIFIED_STATUSES,
    rewrite: UNQUALIFIED_REACTIONS,
  },
  { version: 7, name: 'choices-of-providers', statements: CHOICES_OF_PROVIDERS },
  { version: 8, name: 'imported-changes', statements: IMPORTED_CHANGES },
  { version: 9, name: 'accounts-in-d1', statements: ACCOUNTS_IN_D1 },
  { version: 10, name: 'neutral-exports', statements: NEUTRAL_EXPORTS },
  { version: 11, name: 'usage', statements: USAGE },
  { version: 12, name: 'continuations', statements: CONTINUATIONS_IN_ONE_FORM },
  { version: 13, name: 'backups', statements: BACKUPS },
  { version: 14, name: 'holds', statements: HOLDS },
  { version: 15, name: 'backup-readings', statements: BACKUP_READINGS },
  { version: 16, name: 'kept-backups', statements: KEPT_BACKUPS },
  { version: 17, name: 'erasures', statements: ERASURES },
  { version: 18, name: 'moved-and-deleted', statements: MOVED_AND_DELETED },
  { version: 19, name: 'pins', statements: PINS },
]

/** A step as a database has recorded it. */
export interface AppliedStep {
  readonly version: number
  readonly name: string
  readonly digest: string
}

/** Thrown when another build of Parley has made the database, and this one does not know its tables: continuing would harm it. */
export class OtherSchemaError extends Error {
  /** Whether all steps of this build are in it, and further ones. */
  readonly isNewer: boolean

  constructor(message: string, isNewer: boolean) {
    super(message)
    this.isNewer = isNewer
  }
}

export const APPLIED_STEPS = `SELECT version, name, digest FROM schema_step ORDER BY version`

/** @throws OtherSchemaError unless the steps of the database are the first ones of this build, unedited. */
export function requireOwnSchema(applied: readonly AppliedStep[], steps = SCHEMA_STEPS): void {
  for (const { version, name, digest } of applied.slice(0, steps.length)) {
    if (digestOf(steps[version - 1]!) === digest) continue
    throw new OtherSchemaError(
      `The database has another schema step ${version} (${name}) than this build`,
      false,
    )
  }
  if (applied.length <= steps.length) return
  throw new OtherSchemaError(
    `The database has schema ${applied.length}, this build knows ${steps.length}`,
    true,
  )
}

/** Throws when the list itself is wrong, so that a bad edit fails every test and not only one realm. */
function checkSchemaSteps(steps: readonly SchemaStep[]): void {
  steps.forEach((step, index) => {
    if (step.version !== index + 1) throw new Error(`Schema step ${step.name} must have version ${index + 1}`)
    if (textsOf(step).length === 0) throw new Error(`Schema step ${step.name} is empty`)
    if (step.rewrite && step.rewrite.step !== step.version)
      throw new Error(`The rewrite of ${step.name} names another step`)
  })
}

/**
 * Brings the database up to date. Must run where nothing else can (the object's constructor), inside one transaction. Returns whether rows
 * are left that are rewritten behind; a new database has none.
 * @throws OtherSchemaError
 */
export function upgradeSchema(sql: SqlStorage, steps = SCHEMA_STEPS): boolean {
  checkSchemaSteps(steps)
  sql.exec(
    `CREATE TABLE IF NOT EXISTS schema_step (version INTEGER PRIMARY KEY, name TEXT NOT NULL, digest TEXT NOT NULL)`,
  )
  const applied = sql.exec<{ version: number; name: string; digest: string }>(APPLIED_STEPS).toArray()
  requireOwnSchema(applied, steps)
  const added = steps.slice(applied.length)
  for (const step of added) {
    for (const statement of step.statements) sql.exec(statement)
    sql.exec(`INSERT INTO schema_step VALUES (?, ?, ?)`, step.version, step.name, digestOf(step))
  }
  const rewriting = applied.length > 0 ? added.filter(({ rewrite }) => rewrite) : []
  for (const { version } of rewriting) sql.exec(OPEN_REWRITE, version)
  return rewriting.length > 0
}

function textsOf({ rewrite, statements }: SchemaStep): readonly string[] {
  return rewrite ? [rewrite.statement, ...statements] : statements
}

const digests = new WeakMap<SchemaStep, string>()

/**
 * Returns the FNV-1a of the step's text, which is enough to notice an edit, and synchronous. Computed once in
 * an isolate, however many objects wake.
 */
function digestOf(step: SchemaStep): string {
  const known = digests.get(step)
  if (known !== undefined) return known
  let hash = 0x811c9dc5
  for (const char of [step.name, ...textsOf(step)].join('\n')) {
    hash = Math.imul(hash ^ char.codePointAt(0)!, 0x01000193)
  }
  const digest = (hash >>> 0).toString(16)
  digests.set(step, digest)
  return digest
}
