import { IdSet } from '../../core/id-set.ts'
import { fromJson, type JsonText } from '../../core/json.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'
import type { Emoji } from '../emoji/emoji-lookup.ts'
import type { Facts, ImportedType } from './imported-rows.ts'

/** What imports have changed of things that were here. This file owns the tables `import_change` and `imported_members`. */

interface GivenReaction extends Emoji {
  readonly userId: number
}

/** A change of something that an earlier import of the source has brought: what it was before, and what tells whether it is still as it was left. */
export type ImportChange =
  | {
      readonly kind: 'user name' | 'channel name' | 'group name'
      readonly id: number
      readonly from: string
      readonly to: string
    }
  | { readonly kind: 'account closed'; readonly id: number }
  | {
      readonly kind: 'channel archived'
      readonly id: number
      readonly isArchived: boolean
      /** Whether new people were subscribed to it before. */
      readonly isDefault: boolean
    }
  | {
      readonly kind: 'text'
      readonly id: number
      /** Its id there. */
      readonly of: string
      /** The version that has the new text, and the number of earlier versions that it added. */
      readonly version: number
      readonly added: number
      readonly bits: number
      readonly editedAt: number | null
    }
  | { readonly kind: 'topic'; readonly id: number; readonly from: string; readonly to: string }
  | {
      readonly kind: 'reactions'
      readonly id: number
      readonly added: readonly GivenReaction[]
      readonly removed: readonly GivenReaction[]
    }
  | { readonly kind: 'left'; readonly id: number; readonly userIds: readonly number[] }
  | {
      readonly kind: 'group members'
      readonly id: number
      readonly added: readonly number[]
      readonly removed: readonly number[]
    }
  /** What the source had before. */
  | { readonly kind: 'facts'; readonly type: ImportedType; readonly id: string; readonly facts: Facts }
  | {
      readonly kind: 'members'
      readonly type: 'channel' | 'group'
      readonly id: string
      readonly members: readonly number[]
    }

/** Adds changes above the others of the import. */
export function insertChanges(sql: WritableSql, importId: number, changes: readonly ImportChange[]): void {
  for (const change of changes)
    sql.run(
      `INSERT INTO import_change (import_id, position, change)
       VALUES (?1, (SELECT ifnull(MAX(position), 0) + 1 FROM import_change WHERE import_id = ?1), ?2)`,
      importId,
      JSON.stringify(change),
    )
}

/** Takes the last changes of an import away, and returns them, the last first. */
export function takeLastChanges(sql: WritableSql, importId: number, limit: number): ImportChange[] {
  const rows = sql.all<{ position: number; change: JsonText<ImportChange> }>(
    `SELECT position, change FROM import_change WHERE import_id = ? ORDER BY position DESC LIMIT ?`,
    importId,
    limit,
  )
  if (rows.length > 0)
    sql.run(
      `DELETE FROM import_change WHERE import_id = ? AND position >= ?`,
      importId,
      rows.at(-1)!.position,
    )
  return rows.map(({ change }) => fromJson(change))
}

/** Returns the accounts that a channel or group of a source had when it was last imported; undefined if an earlier build has done that. */
export function membersAtSource(
  sql: Sql,
  sourceId: number,
  type: 'channel' | 'group',
  id: string,
): IdSet | undefined {
  const row = sql.first<{ members: ArrayBuffer }>(
    `SELECT members FROM imported_members WHERE source_id = ? AND type = ? AND id = ?`,
    ...[sourceId, type, id],
  )
  return row && IdSet.fromBytes(row.members)
}

export function putMembersAtSource(
  sql: WritableSql,
  sourceId: number,
  type: 'channel' | 'group',
  id: string,
  members: IdSet,
): void {
  sql.run(
    `INSERT OR REPLACE INTO imported_members (source_id, type, id, members) VALUES (?, ?, ?, ?)`,
    ...[sourceId, type, id, members.toBytes()],
  )
}

/** Forgets what a source had, once the last of its things is gone. */
export function forgetMembers(sql: WritableSql, sourceId: number): void {
  sql.run(
    `DELETE FROM imported_members WHERE source_id = ?1 AND NOT EXISTS
       (SELECT 1 FROM imported_thing t WHERE t.source_id = ?1)`,
    sourceId,
  )
}
