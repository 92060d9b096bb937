import { nameKey } from '../../core/names.ts'

/**
 * Step `name-keys` of the schema: names are found and compared by `nameKey` (core/names.ts), which SQLite cannot make. Before, names of
 * people were compared without regard to the case of Latin letters, those of groups exactly.
 */
export const NAME_KEY_STATEMENTS: readonly string[] = [
  `ALTER TABLE user ADD COLUMN name_key TEXT NOT NULL DEFAULT ''`,
  `DROP INDEX user_by_name`,
  `CREATE INDEX user_by_name ON user (name_key)`,
  `ALTER TABLE user_group ADD COLUMN name_key TEXT NOT NULL DEFAULT ''`,
  `DROP INDEX user_group_by_name`,
  `CREATE INDEX user_group_by_name ON user_group (name_key)`,
]

type Named = { id: number; name: string; name_key: string }

/** Rows whose keys are made together. */
const AT_ONCE = 2_000

/** Gives the rows that there are their keys. */
export function fillNameKeys(sql: SqlStorage): void {
  for (const [table, column] of [
    ['user', 'full_name'],
    ['user_group', 'name'],
  ]) {
    for (let above = 0; ; ) {
      const rows = sql
        .exec<Named>(
          `SELECT id, ${column} AS name, name_key FROM ${table} WHERE id > ? ORDER BY id LIMIT ${AT_ONCE}`,
          above,
        )
        .toArray()
      if (rows.length === 0) break
      setKeys(
        sql,
        table!,
        rows.map(({ id, name }) => [id, nameKey(name)]),
      )
      above = rows.at(-1)!.id
    }
  }
  for (const table of ['channel', 'channel_folder']) makeKeysUnique(sql, table)
}

/**
 * Of names that count as the same only now, the oldest gets the key; the others are found by their ids, and by name once they are
 * renamed.
 */
function makeKeysUnique(sql: SqlStorage, table: string): void {
  const rows = sql.exec<Named>(`SELECT id, name, name_key FROM ${table} ORDER BY id`).toArray()
  const taken = new Set<string>()
  const changed: [number, string][] = []
  for (const { id, name, name_key } of rows) {
    const wanted = nameKey(name)
    // No name has a line break in its key.
    const key = taken.has(wanted) ? `${wanted}\n${id}` : wanted
    taken.add(key)
    if (key !== name_key) changed.push([id, key])
  }
  // Two rows may exchange keys, which are unique at every moment.
  setKeys(
    sql,
    table,
    changed.map(([id]) => [id, `\n${id}`]),
  )
  setKeys(sql, table, changed)
}

function setKeys(sql: SqlStorage, table: string, keys: readonly [id: number, key: string][]): void {
  if (keys.length === 0) return
  sql.exec(
    `UPDATE ${table} SET name_key = wanted.value ->> 1 FROM json_each(?) AS wanted WHERE ${table}.id = wanted.value ->> 0`,
    JSON.stringify(keys),
  )
}
