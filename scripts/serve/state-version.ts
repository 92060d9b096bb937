/** Which version the state of a folder has, beside that of this build. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { SCHEMA_STEPS } from '../../src/store/schema/schema.ts'
import { listObjects, stepsIn } from '../object-schemas.ts'

/** How many steps of `src/store/schema` and of `migrations` a state has. An object that has slept since an upgrade may lag behind. */
export interface StateVersion {
  readonly oldestObject: number
  readonly newestObject: number
  readonly migrations: number
}

export function versionOfBuild(migrations: readonly unknown[]): StateVersion {
  const steps = SCHEMA_STEPS.length
  return { oldestObject: steps, newestObject: steps, migrations: migrations.length }
}

/** Returns the version of a state; undefined if the folder has none yet. */
export function versionOfState(stateDir: string): StateVersion | undefined {
  const migrations = databasesOf(stateDir).map(countMigrations)
  if (migrations.length === 0) return undefined
  const steps = listObjects(stateDir)
    .map((file) => stepsIn(file).length)
    .filter((count) => count > 0)
  return {
    oldestObject: Math.min(...(steps.length > 0 ? steps : [SCHEMA_STEPS.length])),
    newestObject: Math.max(...(steps.length > 0 ? steps : [SCHEMA_STEPS.length])),
    migrations: Math.max(...migrations),
  }
}

export function compareVersions(state: StateVersion, build: StateVersion): 'older' | 'same' | 'newer' {
  if (state.newestObject > build.newestObject || state.migrations > build.migrations) return 'newer'
  if (state.oldestObject < build.oldestObject || state.migrations < build.migrations) return 'older'
  return 'same'
}

export function describeVersion({ oldestObject, newestObject, migrations }: StateVersion): string {
  const steps = oldestObject === newestObject ? `${oldestObject}` : `${oldestObject} to ${newestObject}`
  return `schema ${steps}.${migrations}`
}

/** Returns the number of messages of all organizations. */
export function countMessages(stateDir: string): number {
  return listObjects(stateDir).reduce(
    (sum, file) => sum + readIn(file, `SELECT count(*) AS n FROM message_index`),
    0,
  )
}

function databasesOf(stateDir: string): string[] {
  const folder = join(stateDir, 'v3/d1/miniflare-D1DatabaseObject')
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => /^[0-9a-f]+\.sqlite$/.test(name))
    .map((name) => join(folder, name))
}

function countMigrations(file: string): number {
  return readIn(file, `SELECT count(*) AS n FROM d1_migrations`)
}

/** Returns a count of a database; 0 if the table does not exist. */
function readIn(file: string, query: string): number {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    return Number(database.prepare(query).get()?.n ?? 0)
  } catch {
    return 0
  } finally {
    database.close()
  }
}
