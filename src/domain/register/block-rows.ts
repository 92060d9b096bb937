import type { BlockKind } from '../../core/blocks.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'

/**
 * Versions of blocks. The table `snapshot_block` is owned by this file: a row is there while nothing that the block shows has
 * changed, since triggers delete it (realm/schema/snapshot-blocks.ts). A version is drawn anew each time, and so stands for
 * contents: also where storage is restored to how it was.
 */
export function blockVersions(sql: Sql, kind: BlockKind): Map<number, number> {
  const rows = sql.all<{ number: number; version: number }>(
    `SELECT number, version FROM snapshot_block WHERE kind = ?`,
    kind,
  )
  return new Map(rows.map(({ number, version }) => [number, version]))
}

/** SQLite takes texts of 2 MB, and each of these has some 40 characters. */
const PUT_AT_ONCE = 10_000

export interface BlockVersion {
  readonly kind: BlockKind
  readonly number: number
  readonly version: number
}

export function putBlockVersions(sql: WritableSql, versions: readonly BlockVersion[]): void {
  for (let at = 0; at < versions.length; at += PUT_AT_ONCE) {
    const some = versions.slice(at, at + PUT_AT_ONCE)
    sql.run(
      `INSERT OR REPLACE INTO snapshot_block (kind, number, version)
       SELECT value->>0, value->>1, value->>2 FROM json_each(?)`,
      JSON.stringify(some.map(({ kind, number, version }) => [kind, number, version])),
    )
  }
}
