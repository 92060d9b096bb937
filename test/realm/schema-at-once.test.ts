import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { statementsAtOnce } from '../../src/realm/schema/at-once.ts'
import { SCHEMA_STEPS, upgradeSchema } from '../../src/realm/schema/schema.ts'
import { fromJson } from '../support/json.ts'

/** Returns an object's storage after an upgrade of the schema: the schema as SQLite stores it, and every row. */
function storageAfter(upgrade: (sql: SqlStorage) => void): Promise<object> {
  const object = env.REALM.get(env.REALM.newUniqueId())
  return runInDurableObject(object, (_, { storage: { sql } }) => {
    upgrade(sql)
    const schema = sql
      .exec<{ type: string; name: string }>(
        'SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name',
      )
      .toArray()
      .filter(({ name }) => !name.startsWith('_cf_'))
    const tables = schema.filter(({ type }) => type === 'table').map(({ name }) => name)
    const rows = tables.map((table) => [table, sql.exec(`SELECT * FROM ${table}`).toArray()] as const)
    return { schema, rows: Object.fromEntries(rows) }
  })
}

/** Each object has a key and an id of its own. */
const UUID = /"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"/g
const withoutKeys = (storage: object) =>
  fromJson(
    JSON.stringify(storage)
      .replaceAll(/"[0-9a-f]{64}"/g, '"a key"')
      .replaceAll(UUID, '"a UUID"'),
  )

describe('the schema of a new organization', () => {
  it('is what its steps make, one after the other', async () => {
    const atOnce = await storageAfter((sql) => upgradeSchema(sql))
    const stepByStep = await storageAfter((sql) => {
      for (const { version } of SCHEMA_STEPS) upgradeSchema(sql, SCHEMA_STEPS.slice(0, version))
    })
    expect(withoutKeys(atOnce)).toEqual(withoutKeys(stepByStep))
  })

  it('changes no table that it has made', () => {
    const statements = statementsAtOnce(SCHEMA_STEPS.flatMap(({ statements }) => statements))
    expect(statements.filter((statement) => /^\s*(ALTER|DROP) TABLE/.test(statement))).toEqual([])
  })
})
