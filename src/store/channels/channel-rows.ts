import { type ChannelProperties, DEFAULT_CHANNEL_PROPERTIES } from '../../core/channel-properties.ts'
import { IdSet } from '../../core/id-set.ts'
import { fromJson, type JsonText, jsonText, standsInList } from '../../core/json.ts'
import { nameKey } from '../../core/names.ts'
import type { Sql, SqlParameter, SqlValue, WritableSql } from '../../core/sql.ts'
import type { ChannelFacts } from '../../rules/channel-rules.ts'
import type { ChannelPermissions } from '../../rules/grants.ts'
import { defaultGroupSettingValue } from '../../rules/group-setting-values.ts'
import { CHANNEL_GROUP_SETTINGS } from '../../rules/group-settings.ts'
import { columnOf, Rows, storedAs } from '../select-rows.ts'

/** A channel as the realm stores it. The table `channel` is owned by this file. */
export interface Channel extends ChannelFacts {
  readonly description: string
  readonly renderedDescription: string
  /** UNIX seconds. */
  readonly createdAt: number
  readonly creatorId: number | null
  readonly isDefault: boolean
  readonly firstMessageId: number | null
  /** Null: the organization's; -1: for ever. */
  readonly retentionDays: number | null
  readonly folderId: number | null
  /** Whether a message was sent in the last half year. Updated once a day, and by a new message. */
  readonly isRecentlyActive: boolean
  /** Messages a week; null in the first week. Updated once a day. */
  readonly weeklyTraffic: number | null
}

type ChannelRow = Omit<Channel, 'properties' | 'settings'> & {
  readonly properties: Partial<ChannelProperties>
  /** Many channels have the same, which are parsed once. */
  readonly settings: JsonText<Partial<ChannelPermissions>>
}

const CHANNELS = new Rows<ChannelRow>(
  'channel',
  'id name is_private:flag is_web_public:flag history_public=historyPublicToSubscribers:flag is_archived:flag properties:json settings description rendered_description created_at creator_id is_default:flag first_message_id retention_days folder_id is_recently_active:flag weekly_traffic',
)

type PermissionsRow = Pick<ChannelRow, 'creatorId' | 'settings'>

export function findChannel(sql: Sql, id: number): Channel | undefined {
  return sql.kept(`channel ${id}`, () => {
    const read = () => CHANNELS.find(sql, `WHERE id = ?`, id)
    const row = sql.about('channel', id, read)
    return row && channelOf(row)
  })
}

/** Returns those of the channels that exist, archived ones included, in the order of their ids as given. */
export function findChannels(sql: Sql, ids: readonly number[]): Channel[] {
  return ids.flatMap((id) => findChannel(sql, id) ?? [])
}

/** Finds a channel by name, in any form that counts as the same (`nameKey`). */
export function findChannelByName(sql: Sql, name: string): Channel | undefined {
  const key = nameKey(name)
  // Narrows name most channels by their ids, in texts: that no name is like this is kept too.
  const find = () => sql.value(`SELECT id FROM channel WHERE name_key = ?`, key) ?? null
  const id = sql.kept(`channel named ${key}`, find)
  return id === null ? undefined : findChannel(sql, id)
}

/** Lists these channels, archived ones included, by name. */
export function listChannelsAmong(sql: Sql, ids: readonly number[]): Channel[] {
  return channelsIn(sql, `id IN (SELECT value FROM json_each(?)) ORDER BY name_key`, ids)
}

/**
 * Lists the channels in whose permissions this number stands, and those that this user has created, ascending: at most `limit` of those
 * above `above`.
 */
export function listChannelsNaming(
  sql: Sql,
  userId: number,
  { above, limit }: { above: number; limit: number },
): Channel[] {
  return channelsIn(
    sql,
    `id > ?1 AND (creator_id = ?2 OR ${standsInList('settings', '?2')}) ORDER BY id LIMIT ?3`,
    above,
    userId,
    limit,
  )
}

/** Lists the channels that new users join, by name. */
export function listDefaultChannels(sql: Sql): Channel[] {
  return channelsIn(sql, `is_default = 1 AND is_archived = 0 ORDER BY name_key`)
}

/** Whether a folder contains any channel, archived ones included. */
export function hasChannelsInFolder(sql: Sql, folderId: number): boolean {
  return sql.finds(`SELECT 1 FROM channel WHERE folder_id = ? LIMIT 1`, folderId)
}

/** Lists every channel, archived ones included, by name. */
export function listChannels(sql: Sql): Channel[] {
  return channelsIn(sql, `true ORDER BY name_key`)
}

/** Lists the next `limit` of these after a channel; undefined: the first. */
export function listChannelsAfter(sql: Sql, after: Channel | undefined, limit: number): Channel[] {
  return channelsIn(
    sql,
    `name_key > ifnull((SELECT name_key FROM channel WHERE id = ?), '') ORDER BY name_key LIMIT ?`,
    after?.id ?? null,
    limit,
  )
}

export type NewChannel = Omit<
  Channel,
  'id' | 'isArchived' | 'firstMessageId' | 'isRecentlyActive' | 'weeklyTraffic' | 'properties'
> & { readonly properties?: Partial<ChannelProperties> }

/** Returns the new channel's id. */
export function insertChannel(sql: WritableSql, channel: NewChannel): number {
  const row = {
    ...channel,
    createdAt: Math.floor(channel.createdAt),
    properties: channel.properties ?? {},
    settings: jsonText(channel.settings),
  }
  return sql.changing(
    'channel',
    (id) => [id],
    () => CHANNELS.insertNew(sql, row, { name_key: nameKey(channel.name) }),
  )
}

export type ChannelChanges = {
  -readonly [Key in keyof Omit<Channel, 'id' | 'createdAt' | 'creatorId' | 'properties'>]?: Channel[Key]
} & {
  /** Those that change. */
  properties?: Partial<ChannelProperties>
}

/** Writes the changed columns, in one statement. */
export function changeChannel(
  sql: WritableSql,
  id: number,
  { properties, historyPublicToSubscribers, ...changes }: ChannelChanges,
): void {
  const given: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(changes)) if (value !== undefined) given[columnOf(key)] = value
  if (historyPublicToSubscribers !== undefined) given.history_public = historyPublicToSubscribers
  if (changes.name !== undefined) given.name_key = nameKey(changes.name)
  const columns = Object.entries(given).map(([column, value]): [string, SqlValue] => [
    `${column} = ?`,
    storedAs(value),
  ])
  if (properties) columns.push(['properties = json_patch(properties, ?)', JSON.stringify(properties)])
  if (columns.length === 0) return
  sql.changing('channel', [id], () =>
    sql.run(
      `UPDATE channel SET ${columns.map(([assignment]) => assignment).join(', ')} WHERE id = ?`,
      ...columns.map(([, value]) => value),
      id,
    ),
  )
}

function channelsIn(sql: Sql, condition: string, ...params: SqlParameter[]): Channel[] {
  const permissions = permissionsReader()
  const query = `SELECT ${CHANNELS.columns} FROM channel WHERE ${condition}`
  return CHANNELS.all(sql, query, ...params).map((row) => channelOf(row, permissions(row)))
}

/** Returns `permissionsOf` for a list: most channels have the same permissions, which are parsed once. */
function permissionsReader(): (row: PermissionsRow) => ChannelPermissions {
  const parsed = new Map<string, StoredPermissions>()
  return (row) => {
    const stored = parsed.get(row.settings) ?? storedPermissions(row)
    parsed.set(row.settings, stored)
    return permissionsOf(row, stored)
  }
}

function channelOf(row: ChannelRow, settings = permissionsOf(row)): Channel {
  return { ...row, properties: { ...DEFAULT_CHANNEL_PROPERTIES, ...row.properties }, settings }
}

function permissionsOf(row: PermissionsRow, stored = storedPermissions(row)): ChannelPermissions {
  return 'whole' in stored ? stored.whole : { ...defaultPermissions(row.creatorId), ...stored.partial }
}

/** Permissions as a channel has stored them: without those that were added later, where it is older. */
type StoredPermissions =
  | { readonly whole: ChannelPermissions }
  | { readonly partial: Partial<ChannelPermissions> }

function storedPermissions({ settings }: PermissionsRow): StoredPermissions {
  const stored: Partial<ChannelPermissions> = fromJson(settings)
  return areWhole(stored) ? { whole: stored } : { partial: stored }
}

function areWhole(stored: Partial<ChannelPermissions>): stored is ChannelPermissions {
  return CHANNEL_GROUP_SETTINGS.every(({ name }) => stored[name] !== undefined)
}

/** Returns the defaults of a new channel, and of settings that were added later, which stored channels lack. */
export function defaultPermissions(
  creatorId: number | null,
  botOwnerId: number | null = null,
): ChannelPermissions {
  return Object.fromEntries(
    CHANNEL_GROUP_SETTINGS.map((setting) => [
      setting.name,
      defaultGroupSettingValue(setting, creatorId, botOwnerId),
    ]),
  ) as ChannelPermissions
}

/** Returns the channels that new users join, ascending. */
export function defaultChannelIds(sql: Sql): number[] {
  return sql.values(`SELECT id FROM channel WHERE is_default = 1 AND is_archived = 0 ORDER BY id`)
}

/** Whether there is a channel whose messages are deleted after some time. */
export function hasLimitedChannels(sql: Sql): boolean {
  return sql.finds(`SELECT 1 FROM channel WHERE retention_days > 0 LIMIT 1`)
}

/** The channels that everybody but guests may read without being in them, archived ones included. */
export function publicChannels(sql: Sql): IdSet {
  return sql.kept('public channels', () => channelsWhere(sql, 'is_private = 0'))
}

/** The channels that anybody may read, archived ones included. */
export function webPublicChannels(sql: Sql): IdSet {
  return sql.kept('web-public channels', () => channelsWhere(sql, 'is_web_public = 1 AND is_private = 0'))
}

function channelsWhere(sql: Sql, condition: string): IdSet {
  return IdSet.of(sql.list(`SELECT json_group_array(id) AS ids FROM channel WHERE ${condition}`))
}

/** Returns ids of the channels that anybody may read, archived ones included, ascending: at most `limit` of those above `above`. */
export function webPublicChannelIds(sql: Sql, { above, limit }: { above: number; limit: number }): number[] {
  return sql.values(
    `SELECT id FROM channel WHERE is_web_public = 1 AND is_private = 0 AND id > ? ORDER BY id LIMIT ?`,
    above,
    limit,
  )
}

export function hasWebPublicChannel(sql: Sql): boolean {
  return webPublicChannelIds(sql, { above: 0, limit: 1 }).length > 0
}
