import { fromJson, type JsonText } from '../../src/core/json.ts'
import type { Sql, SqlParameter } from '../../src/core/sql.ts'

/** Returns the reads of one column, as the object's SQLite has them, over another. */
export function readsOfOneColumn(all: Sql['all']): Pick<Sql, 'values' | 'value' | 'list' | 'finds'> {
  const values = <Value>(query: string, ...params: SqlParameter[]) =>
    all<Record<string, Value>>(query, ...params).map((row) => Object.values(row)[0]!)
  return {
    values,
    value: <Value>(query: string, ...params: SqlParameter[]) =>
      values<Value>(query, ...params)[0] ?? undefined,
    list: <Item>(query: string, ...params: SqlParameter[]) =>
      fromJson(values<JsonText<Item[]>>(query, ...params)[0]!),
    finds: (query, ...params) => all(query, ...params).length > 0,
  }
}
