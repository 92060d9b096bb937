import { fromJson, type JsonText } from '../../core/json.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'
import type { Key } from '../key-pages.ts'
import type { CopiedTable } from './copied-tables.ts'

/** A row that has changed since it was copied. This file owns the table `backup_mark`. */
export interface ChangedRow {
  readonly part: string
  readonly key: Key
}

/**
 * Marks each row that is inserted, changed or deleted from now on. A mark that was taken counts again: whoever has read the row then, has
 * read it before the change.
 */
export function followChanges(storage: SqlStorage, tables: readonly CopiedTable[]): void {
  for (const { table, keys } of tables) {
    const mark = (row: 'NEW' | 'OLD') => {
      const key = `json_array(${keys.map((name) => `${row}.${name}`).join(', ')})`
      const marked = `part = '${table}' AND key = ${key}`
      // No conflict clause: that of the statement outside would hold in here as well, and fail it.
      return `UPDATE backup_mark SET is_taken = 0 WHERE ${marked} AND is_taken = 1;
        INSERT INTO backup_mark (part, key) SELECT '${table}', ${key}
          WHERE NOT EXISTS (SELECT 1 FROM backup_mark WHERE ${marked});`
    }
    const follow = (event: string, ...rows: readonly ('NEW' | 'OLD')[]) =>
      storage.exec(
        `CREATE TRIGGER IF NOT EXISTS ${triggerName(table, event)} AFTER ${event} ON ${table}
         BEGIN ${rows.map(mark).join(' ')} END`,
      )
    follow('INSERT', 'NEW')
    follow('UPDATE', 'OLD', 'NEW')
    follow('DELETE', 'OLD')
  }
}

function triggerName(table: string, event: string): string {
  return `backup_${event.toLowerCase()}_${table}`
}

/** Marks no more rows, and forgets those that are marked. */
export function unfollowChanges(storage: SqlStorage): void {
  const triggers = storage
    .exec<{ name: string }>(`SELECT name FROM sqlite_master WHERE type = 'trigger' AND name GLOB 'backup_*'`)
    .toArray()
  for (const { name } of triggers) storage.exec(`DROP TRIGGER ${name}`)
  storage.exec(`DELETE FROM backup_mark`)
}

/** Takes marks, at most `limit`. They are deleted only by `deleteTaken`, and not if their rows change again. */
export function takeMarks(sql: WritableSql, limit: number): readonly ChangedRow[] {
  const taken = sql.runForAll<{ part: string; key: JsonText<Key & object> }>(
    `UPDATE backup_mark SET is_taken = 1 WHERE (part, key) IN (SELECT part, key FROM backup_mark LIMIT ?)
     RETURNING part, key`,
    limit,
  )
  return taken.map(({ part, key }) => ({ part, key: fromJson(key) }))
}

export function deleteTaken(sql: WritableSql): void {
  sql.run(`DELETE FROM backup_mark WHERE is_taken = 1`)
}

/** Whether there are more marks than `limit`. */
export function hasMoreMarks(sql: Sql, limit: number): boolean {
  return sql.finds(`SELECT 1 FROM backup_mark LIMIT 1 OFFSET ?`, limit)
}
