import type { Sql, WritableSql } from '../../core/sql.ts'
import { Rows } from '../select-rows.ts'

const GROUPS = new Rows<DefaultChannelGroup>('default_channel_group', 'id name description channel_ids:json')

/** Channels that a new user may choose to join together. The table `default_channel_group` is owned by this file. */
export interface DefaultChannelGroup {
  readonly id: number
  readonly name: string
  readonly description: string
  /** Ascending. */
  readonly channelIds: readonly number[]
}

export function findDefaultGroup(sql: Sql, id: number): DefaultChannelGroup | undefined {
  return GROUPS.find(sql, `WHERE id = ?`, id)
}

export function listDefaultGroups(sql: Sql): DefaultChannelGroup[] {
  return GROUPS.list(sql, `ORDER BY id`)
}

export function insertDefaultGroup(sql: WritableSql, group: Omit<DefaultChannelGroup, 'id'>): number {
  return GROUPS.insertNew(sql, { ...group, channelIds: ascending(group.channelIds) })
}

export function saveDefaultGroup(sql: WritableSql, group: DefaultChannelGroup): void {
  const { name, description, channelIds } = group
  GROUPS.change(sql, group.id, {
    name,
    description,
    channelIds: ascending(channelIds),
  })
}

export function deleteDefaultGroup(sql: WritableSql, id: number): void {
  sql.run(`DELETE FROM default_channel_group WHERE id = ?`, id)
}

function ascending(ids: readonly number[]): number[] {
  return [...new Set(ids)].sort((a, b) => a - b)
}
