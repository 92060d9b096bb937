import { SCHEMA_STEPS } from '../../src/store/schema/schema.ts'

/** The schema of the object, for tests of its steps. */
export { CountedSql } from '../../src/engine/counted-sql.ts'
export { UNQUALIFIED_REACTIONS } from '../../src/store/schema/emoji-codes.ts'
export { OPEN_REWRITE, type Rewrite, rewriteNext } from '../../src/store/schema/rewrites.ts'
export {
  OtherSchemaError,
  SCHEMA_STEPS,
  type SchemaStep,
  upgradeSchema,
} from '../../src/store/schema/schema.ts'

/** Takes a storage back to before a step, as an earlier build has left it: without the tables of that step and of later ones. */
export function rewindSchema(storage: SqlStorage, name: string): void {
  const from = SCHEMA_STEPS.findIndex((step) => step.name === name)
  for (const { version, statements } of SCHEMA_STEPS.slice(from)) {
    for (const statement of statements) {
      const table = /^CREATE TABLE (\w+)/.exec(statement)?.[1]
      if (table) storage.exec(`DROP TABLE ${table}`)
    }
    storage.exec(`DELETE FROM schema_step WHERE version = ?`, version)
  }
}
