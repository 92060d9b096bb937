/** The schemas of the realm objects in a local state folder, which workerd stores as one SQLite file each. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import {
  APPLIED_STEPS,
  type AppliedStep,
  OtherSchemaError,
  requireOwnSchema,
} from '../src/store/schema/schema.ts'
import { describeOtherBuild } from './state-folder.ts'

/** @throws {Error} with a sentence for the user, if another build of Parley has made one of the objects. */
export function requireOwnObjects(stateDir: string): void {
  try {
    for (const file of listObjects(stateDir)) requireOwnSchema(stepsIn(file))
  } catch (error) {
    if (!(error instanceof OtherSchemaError)) throw error
    throw new Error(describeOtherBuild(stateDir, error.isNewer ? 'a newer' : 'an earlier'))
  }
}

/** Lists the SQLite files of all organizations' objects. */
export function listObjects(stateDir: string): string[] {
  const folder = join(stateDir, 'v3/do/parley-RealmObject')
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => /^[0-9a-f]+\.sqlite$/.test(name))
    .map((name) => join(folder, name))
}

/** Returns the steps that an object has; none for one without an organization. */
export function stepsIn(file: string): AppliedStep[] {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const [table] = database.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'schema_step'`).all()
    if (!table) return []
    const rows = database.prepare(APPLIED_STEPS).all()
    return rows.map(({ version, name, digest }) => ({
      version: Number(version),
      name: String(name),
      digest: String(digest),
    }))
  } finally {
    database.close()
  }
}
