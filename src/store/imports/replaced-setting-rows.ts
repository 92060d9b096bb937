import { parseJson } from '../../core/json.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'

/** A setting of the organization that an import has changed. The table `replaced_setting` is owned by this file. */
export interface ReplacedSetting {
  readonly name: string
  /** The value before; undefined for the default. */
  readonly former: unknown
  /** The value that the import has written. */
  readonly written: unknown
}

/** Notes what an import makes of a setting. What it was before the import's first change stays noted. */
export function noteReplaced(
  sql: WritableSql,
  importId: number,
  { name, former, written }: ReplacedSetting,
): void {
  sql.run(
    `INSERT INTO replaced_setting (import_id, name, former, written) VALUES (?, ?, ?, ?)
     ON CONFLICT (import_id, name) DO UPDATE SET written = excluded.written`,
    importId,
    name,
    former === undefined ? null : JSON.stringify(former),
    JSON.stringify(written),
  )
}

/** Lists the settings that an import has changed, after a name. */
export function listReplaced(sql: Sql, importId: number, after: string, limit: number): ReplacedSetting[] {
  return sql
    .all<{ name: string; former: string | null; written: string }>(
      `SELECT name, former, written FROM replaced_setting WHERE import_id = ? AND name > ? ORDER BY name LIMIT ?`,
      importId,
      after,
      limit,
    )
    .map(({ name, former, written }) => ({
      name,
      former: former === null ? undefined : parseJson(former),
      written: parseJson(written),
    }))
}

export function forgetReplaced(sql: WritableSql, importId: number): void {
  sql.run(`DELETE FROM replaced_setting WHERE import_id = ?`, importId)
}
