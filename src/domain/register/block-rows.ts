import type { BlockKind } from '../../core/blocks.ts'
import { BLOCK_VERSION_KEPT } from '../../core/budgets.ts'
import { fromJson, type JsonText } from '../../core/json.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'

/**
 * Versions of blocks. The table `snapshot_block` is owned by this file: a row exists while nothing that the
 * block shows has changed, since triggers delete it (realm/schema/snapshot-blocks.ts). A version is a new
 * random number each time, and so identifies contents even if storage is restored to an earlier state.
 */
export function blockVersions(sql: Sql, kind: BlockKind): ReadonlyMap<number, number> {
  const read = () => {
    const rows = sql.all<{ number: number; version: number }>(
      `SELECT number, version FROM snapshot_block WHERE kind = ?`,
      kind,
    )
    const versions = new Map(rows.map(({ number, version }) => [number, version]))
    return { value: versions, size: rows.length * BLOCK_VERSION_KEPT }
  }
  return sql.kept(`versions of ${kind}`, read, 'blocks')
}

export function blockVersion(sql: Sql, kind: BlockKind, number: number): number | undefined {
  return sql.first<{ version: number }>(
    `SELECT version FROM snapshot_block WHERE kind = ? AND number = ?`,
    kind,
    number,
  )?.version
}

/** Number of rows of one statement: SQLite takes texts of 2 MB, and each row has some 40 characters. */
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

/** The content of a block: by family, since classes of viewers see one number differently. */
export interface BlockContent extends BlockVersion {
  readonly family: string
  /** The deployed program that has made it: another one may present things differently. */
  readonly build: string
  /** Bytes of each part. */
  readonly lengths: readonly number[]
  /** All parts, one after the other: JSON in UTF-8. */
  readonly bytes: Uint8Array
}

/**
 * Finds a block's content. The table `snapshot_block_content` is owned by this file. Its rows are deleted
 * with their version, by a trigger (realm/schema/snapshot-blocks.ts).
 */
export function findBlockContent(
  sql: Sql,
  { kind, number, family, build, version }: Omit<BlockContent, 'lengths' | 'bytes'>,
): Pick<BlockContent, 'lengths' | 'bytes'> | undefined {
  const row = sql.first<{ version: number; build: string; lengths: JsonText<number[]>; bytes: ArrayBuffer }>(
    `SELECT version, build, lengths, bytes FROM snapshot_block_content
     WHERE kind = ? AND number = ? AND family = ?`,
    kind,
    number,
    family,
  )
  if (row?.version !== version || row.build !== build) return undefined
  return { lengths: fromJson(row.lengths), bytes: new Uint8Array(row.bytes) }
}

export function putBlockContents(sql: WritableSql, contents: readonly BlockContent[]): void {
  for (const { kind, number, family, version, build, lengths, bytes } of contents) {
    sql.run(
      `INSERT OR REPLACE INTO snapshot_block_content (kind, number, family, version, build, lengths, bytes)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      kind,
      number,
      family,
      version,
      build,
      JSON.stringify(lengths),
      bytes,
    )
  }
}
