import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { inRealm } from '../support/inside.ts'
import { HOW_ERASED, HOW_ERASED_IN_D1 } from '../support/inside-erasures.ts'
import { useRealm } from '../support/use-realm.ts'

/** Tables of SQLite, the platform and full-text search, which no statement of ours writes. */
const INTERNAL = /^(sqlite_|_cf_|d1_migrations$|message_search_)/

const COLUMNS = `SELECT m.name AS "table", c.name AS "column" FROM sqlite_master m JOIN pragma_table_info(m.name) c
  WHERE m.type = 'table' AND m.name NOT GLOB '_cf_*'`

interface Column {
  readonly table: string
  readonly column: string
}

const { realm } = useRealm()

async function columnsOfObject(): Promise<readonly Column[]> {
  const found = await inRealm(realm, (_, { storage }) =>
    (storage.sql.exec(COLUMNS).toArray() as unknown[]).map((row) => row as Column),
  )
  return found.filter(({ table }) => !INTERNAL.test(table))
}

const tablesOf = (columns: readonly Column[]) => [...new Set(columns.map(({ table }) => table))].sort()

describe('the list of how tables are erased', () => {
  it('has every table of the object and of D1', async () => {
    expect(tablesOf(await columnsOfObject())).toEqual(Object.keys(HOW_ERASED).sort())
    const { results } = await env.DB.prepare(COLUMNS).all<Column>()
    const inD1 = results.filter(({ table }) => !INTERNAL.test(table))
    expect(tablesOf(inD1)).toEqual(Object.keys(HOW_ERASED_IN_D1).sort())
  })

  it('names a column of the table where rows are deleted', async () => {
    const columns = new Set((await columnsOfObject()).map(({ table, column }) => `${table}.${column}`))
    const named = Object.entries(HOW_ERASED).flatMap(([table, how]) =>
      'rows' in how ? [`${table}.${how.rows}`] : [],
    )
    expect(named.length).toBeGreaterThan(30)
    expect(named.filter((one) => !columns.has(one))).toEqual([])
  })

  it('says of no table that has a person’s id or address that it has nobody', async () => {
    const naming = (await columnsOfObject()).filter(({ column }) =>
      /^(user|owner|sender|bot|actor|author|creator|referrer|acting_user)_id$|^(delivery_|former_|new_)?email$|^address$/.test(
        column,
      ),
    )
    const wrong = naming.filter(({ table }) => {
      const how = HOW_ERASED[table]!
      return 'kept' in how && how.kept === 'says nothing of people'
    })
    expect(wrong).toEqual([])
  })
})
