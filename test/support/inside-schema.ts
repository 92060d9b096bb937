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
