import { nameKey } from '../../core/names.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'
import { Rows } from '../select-rows.ts'

const FOLDERS = new Rows<ChannelFolder>(
  'channel_folder',
  'id name description rendered_description position created_at creator_id is_archived:flag',
)

/** A folder for channels in clients' lists. The table `channel_folder` is owned by this file. */
export interface ChannelFolder {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly renderedDescription: string
  /** Position in the list; two folders share one only for a moment. */
  readonly position: number
  /** UNIX seconds. */
  readonly createdAt: number
  readonly creatorId: number | null
  readonly isArchived: boolean
}

export function findFolder(sql: Sql, id: number): ChannelFolder | undefined {
  return FOLDERS.find(sql, `WHERE id = ?`, id)
}

/** Finds a folder by name, in any form that counts as the same; archived ones count. */
export function findFolderNamed(sql: Sql, name: string): ChannelFolder | undefined {
  return FOLDERS.find(sql, `WHERE name_key = ?`, nameKey(name))
}

/** Lists all folders in their order, archived ones too. */
export function listFolders(sql: Sql): ChannelFolder[] {
  return FOLDERS.list(sql, `ORDER BY position, id`)
}

/** Returns the ids of all folders in their order, archived ones too. */
export function folderIds(sql: Sql): number[] {
  return sql.values(`SELECT id FROM channel_folder ORDER BY position, id`)
}

/** Puts the new folder after the others; returns its id. */
export function insertFolder(
  sql: WritableSql,
  folder: Pick<ChannelFolder, 'name' | 'description' | 'renderedDescription' | 'createdAt' | 'creatorId'>,
): number {
  return sql.runForValue(
    `INSERT INTO channel_folder (name, name_key, description, rendered_description, created_at, creator_id, position)
     VALUES (?, ?, ?, ?, ?, ?, (SELECT ifnull(MAX(position), -1) + 1 FROM channel_folder)) RETURNING id`,
    folder.name,
    nameKey(folder.name),
    folder.description,
    folder.renderedDescription,
    Math.floor(folder.createdAt),
    folder.creatorId,
  )!
}

export function renameFolder(sql: WritableSql, id: number, name: string): void {
  sql.run(`UPDATE channel_folder SET name = ?, name_key = ? WHERE id = ?`, name, nameKey(name), id)
}

export function describeFolder(
  sql: WritableSql,
  id: number,
  text: Pick<ChannelFolder, 'description' | 'renderedDescription'>,
): void {
  FOLDERS.change(sql, id, text)
}

export function setFolderArchived(sql: WritableSql, id: number, isArchived: boolean): void {
  sql.run(`UPDATE channel_folder SET is_archived = ? WHERE id = ?`, Number(isArchived), id)
}

/** Gives folders their positions in the list. */
export function orderFolders(sql: WritableSql, ids: readonly number[]): void {
  // By one statement, since there may be a thousand. Those that stay where they are cost no row.
  sql.run(
    `UPDATE channel_folder SET position = wanted.key FROM json_each(?) AS wanted
     WHERE channel_folder.id = wanted.value AND channel_folder.position <> wanted.key`,
    ids,
  )
}
