import { fromJson, type JsonText } from '../../core/json.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'
import { columnsAs } from '../select-rows.ts'

const COLUMNS = columnsAs('id name description channel_ids')

/** Channels that a new user may choose to join together. The table `default_channel_group` is owned by this file. */
export interface DefaultChannelGroup {
  readonly id: number
  readonly name: string
  readonly description: string
  /** Ascending. */
  readonly channelIds: readonly number[]
}

export function findDefaultGroup(sql: Sql, id: number): DefaultChannelGroup | undefined {
  const row = sql.first<DefaultChannelGroupRow>(
    `SELECT ${COLUMNS} FROM default_channel_group WHERE id = ?`,
    id,
  )
  return row && groupOf(row)
}

export function listDefaultGroups(sql: Sql): DefaultChannelGroup[] {
  return sql
    .all<DefaultChannelGroupRow>(`SELECT ${COLUMNS} FROM default_channel_group ORDER BY id`)
    .map(groupOf)
}

export function insertDefaultGroup(sql: WritableSql, group: Omit<DefaultChannelGroup, 'id'>): void {
  sql.run(
    `INSERT INTO default_channel_group (name, description, channel_ids) VALUES (?, ?, ?)`,
    group.name,
    group.description,
    JSON.stringify(ascending(group.channelIds)),
  )
}

export function saveDefaultGroup(sql: WritableSql, group: DefaultChannelGroup): void {
  sql.run(
    `UPDATE default_channel_group SET name = ?, description = ?, channel_ids = ? WHERE id = ?`,
    group.name,
    group.description,
    JSON.stringify(ascending(group.channelIds)),
    group.id,
  )
}

export function deleteDefaultGroup(sql: WritableSql, id: number): void {
  sql.run(`DELETE FROM default_channel_group WHERE id = ?`, id)
}

function ascending(ids: readonly number[]): number[] {
  return [...new Set(ids)].sort((a, b) => a - b)
}

type DefaultChannelGroupRow = Omit<DefaultChannelGroup, 'channelIds'> & { channelIds: JsonText<number[]> }

function groupOf(row: DefaultChannelGroupRow): DefaultChannelGroup {
  return { ...row, channelIds: fromJson(row.channelIds) }
}
