import { fromJson, type JsonText } from '../../core/json.ts'
import { nameKey } from '../../core/names.ts'
import { standsAnywhere, standsInList } from '../../core/number-in-json.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'
import type { ChannelFacts } from '../../permissions/channel-rules.ts'
import type { ChannelPermissions } from '../../permissions/grants.ts'
import { defaultGroupSettingValue } from '../../permissions/group-setting-values.ts'
import { CHANNEL_GROUP_SETTINGS } from '../../permissions/group-settings.ts'
import type { ChannelTopicsPolicy } from '../../permissions/topic-rules.ts'

/** A channel as the realm stores it. The table `channel` is owned by this file. */
export interface Channel extends ChannelFacts {
  readonly description: string
  readonly renderedDescription: string
  /** UNIX seconds. */
  readonly createdAt: number
  readonly creatorId: number | null
  readonly isDefault: boolean
  /** Whether people who join it get pushes of all its messages, until they say otherwise. */
  readonly pushesByDefault: boolean
  readonly firstMessageId: number | null
  /** Null: the organization's; -1: for ever. */
  readonly retentionDays: number | null
  readonly folderId: number | null
  /** Whether a message was sent in the last half year. Updated once a day, and by a new message. */
  readonly isRecentlyActive: boolean
  /** Messages a week; null in the first week. Updated once a day. */
  readonly weeklyTraffic: number | null
}

interface ChannelRow {
  id: number
  name: string
  description: string
  rendered_description: string
  created_at: number
  creator_id: number | null
  is_private: number
  is_web_public: number
  history_public: number
  is_archived: number
  is_default: number
  pushes_by_default: number
  first_message_id: number | null
  retention_days: number | null
  topics_policy: string
  folder_id: number | null
  settings: JsonText<object>
  is_recently_active: number
  weekly_traffic: number | null
}

type PermissionsRow = Pick<ChannelRow, 'creator_id' | 'settings'>

type FactsRow = PermissionsRow &
  Pick<
    ChannelRow,
    'id' | 'name' | 'is_private' | 'is_web_public' | 'history_public' | 'is_archived' | 'topics_policy'
  >

export function findChannel(sql: Sql, id: number): Channel | undefined {
  return sql.kept(`channel ${id}`, () => {
    const read = () => sql.first<ChannelRow>(`SELECT * FROM channel WHERE id = ?`, id)
    const row = sql.about('channel', id, read)
    return row && channelOf(row)
  })
}

/** Number of channels that may be looked up one by one where they are perhaps not kept. */
const SINGLE_CHANNELS = 3

/** Returns these channels, archived ones included, by id. */
export function channelsById(sql: Sql, ids: readonly number[]): ReadonlyMap<number, Channel> {
  const found =
    ids.length <= SINGLE_CHANNELS
      ? ids.flatMap((id) => findChannel(sql, id) ?? [])
      : listChannelsAmong(sql, ids)
  return new Map(found.map((channel) => [channel.id, channel]))
}

/** Number of channels that are looked up one by one, since the object keeps them. */
const FEW_CHANNELS = 20

/** Returns the names of channels. */
export function channelNames(sql: Sql, ids: readonly number[]): Map<number, string> {
  if (ids.length <= FEW_CHANNELS) return new Map(ids.map((id) => [id, findChannel(sql, id)!.name]))
  const rows = sql.all<Pick<ChannelRow, 'id' | 'name'>>(
    `SELECT id, name FROM channel WHERE id IN (SELECT value FROM json_each(?))`,
    JSON.stringify(ids),
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Finds a channel by name, in any form that counts as the same (`nameKey`). */
export function findChannelByName(sql: Sql, name: string): Channel | undefined {
  const key = nameKey(name)
  const id = sql.kept(`channel named ${key}`, () => {
    const row = sql.first<{ id: number }>(`SELECT id FROM channel WHERE name_key = ?`, key)
    // Narrows name most channels by their ids, in texts: that no name is like this is kept too.
    return row?.id ?? null
  })
  return id === null ? undefined : findChannel(sql, id)
}

/** Finds what decides who may do what in channels, by many names together, each under its `nameKey`. All of it takes twice as long. */
export function findChannelFactsByName(sql: Sql, names: readonly string[]): Map<string, ChannelFacts> {
  const rows = sql.all<FactsRow & { name_key: string }>(
    `SELECT name_key, id, name, creator_id, is_private, is_web_public, history_public, is_archived, topics_policy, settings
     FROM channel WHERE name_key IN (SELECT value FROM json_each(?))`,
    JSON.stringify(names.map(nameKey)),
  )
  const permissions = permissionsReader()
  return new Map(rows.map((row) => [row.name_key, factsOf(row, permissions(row))]))
}

/** Finds what decides who may do what in channels, by many ids together. */
export function findChannelFacts(sql: Sql, ids: readonly number[]): ChannelFacts[] {
  if (ids.length <= FEW_CHANNELS) return ids.flatMap((id) => findChannel(sql, id) ?? [])
  return listFacts(sql, 'id IN (SELECT value FROM json_each(?))', JSON.stringify(ids))
}

/** Returns the same of every private channel, archived ones included, by name. */
export function listPrivateChannels(sql: Sql): ChannelFacts[] {
  return listFacts(sql, 'is_private = 1 ORDER BY name_key')
}

function listFacts(sql: Sql, which: string, ...values: string[]): ChannelFacts[] {
  const rows = sql.all<FactsRow>(
    `SELECT id, name, creator_id, is_private, is_web_public, history_public, is_archived, topics_policy, settings
     FROM channel WHERE ${which}`,
    ...values,
  )
  const permissions = permissionsReader()
  return rows.map((row) => factsOf(row, permissions(row)))
}

/** What decides whether a channel may be in a group of default channels. */
export type NamedChannel = Pick<Channel, 'id' | 'name' | 'isPrivate' | 'isArchived' | 'isDefault'>

/** Finds channels by many names together, without their permissions, each under its `nameKey`. */
export function findNamedChannels(sql: Sql, names: readonly string[]): Map<string, NamedChannel> {
  type Row = Pick<ChannelRow, 'id' | 'name' | 'is_private' | 'is_archived' | 'is_default'>
  const rows = sql.all<Row & { name_key: string }>(
    `SELECT name_key, id, name, is_private, is_archived, is_default FROM channel
     WHERE name_key IN (SELECT value FROM json_each(?))`,
    JSON.stringify(names.map(nameKey)),
  )
  return new Map(
    rows.map(({ name_key, id, name, is_private, is_archived, is_default }) => [
      name_key,
      { id, name, isPrivate: is_private === 1, isArchived: is_archived === 1, isDefault: is_default === 1 },
    ]),
  )
}

/** Returns the whole channel of which perhaps only the facts were read. */
export function wholeChannel(sql: Sql, channel: Channel | ChannelFacts): Channel {
  return 'renderedDescription' in channel ? channel : findChannel(sql, channel.id)!
}

/** Lists these channels, archived ones included, by name. */
export function listChannelsAmong(sql: Sql, ids: readonly number[]): Channel[] {
  return sql
    .all<ChannelRow>(
      `SELECT * FROM channel WHERE id IN (SELECT value FROM json_each(?)) ORDER BY name_key`,
      JSON.stringify(ids),
    )
    .map(channelReader())
}

/** What decides who sees channels, and the channels of which all of it is the same. */
export type AlikeChannels = Pick<Channel, 'isPrivate' | 'isWebPublic' | 'settings'> & {
  readonly ids: readonly number[]
}

/** Returns these channels, archived ones included, together where what decides who sees them is the same. */
export function groupAlikeChannels(sql: Sql, ids: readonly number[]): AlikeChannels[] {
  return sql
    .all<
      Pick<ChannelRow, 'is_private' | 'is_web_public' | 'creator_id' | 'settings'> & {
        ids: JsonText<number[]>
      }
    >(
      `SELECT is_private, is_web_public, creator_id, settings, json_group_array(id) AS ids FROM channel
       WHERE id IN (SELECT value FROM json_each(?)) GROUP BY is_private, is_web_public, creator_id, settings`,
      JSON.stringify(ids),
    )
    .map((row) => ({
      isPrivate: row.is_private === 1,
      isWebPublic: row.is_web_public === 1,
      settings: permissionsOf(row),
      ids: fromJson(row.ids),
    }))
}

/**
 * Lists the private channels, archived ones included, by name, in whose permissions one of these numbers
 * stands: those that name one of these groups or users, and few others.
 */
export function listPrivateChannelsNaming(sql: Sql, ids: readonly number[]): Channel[] {
  const naming = ids.length > FEW_NAMED ? NAMING_ONE_OF_MANY : NAMING_ONE_OF
  return sql
    .all<ChannelRow>(
      `SELECT * FROM channel WHERE is_private = 1 AND ${naming} ORDER BY +name_key`,
      JSON.stringify(ids),
    )
    .map(channelReader())
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
  return sql
    .all<ChannelRow>(
      `SELECT * FROM channel WHERE id > ?1 AND (creator_id = ?2 OR ${standsInList('settings', '?2')}) ORDER BY id LIMIT ?3`,
      above,
      userId,
      limit,
    )
    .map(channelReader())
}

/**
 * Searches the text of all permissions, which takes a tenth of the time of reading each. The few that are found are sorted
 * afterwards (`+name_key`).
 */
const NAMING_ONE_OF = `EXISTS (SELECT 1 FROM json_each(?) WHERE ${standsAnywhere('channel.settings', 'value')})`

/** The numbers for which the text is searched, one after the other. For more, that takes longer than reading the permissions once. */
const FEW_NAMED = 10

/** Reads all permissions, so that it takes the same however many numbers there are: a group may be in hundreds of others. */
const NAMING_ONE_OF_MANY = `EXISTS (SELECT 1 FROM json_tree(channel.settings)
  WHERE type = 'integer' AND atom IN (SELECT value FROM json_each(?)))`

/** Lists the channels that new users join, by name. */
export function listDefaultChannels(sql: Sql): Channel[] {
  return sql
    .all<ChannelRow>(`SELECT * FROM channel WHERE is_default = 1 AND is_archived = 0 ORDER BY name_key`)
    .map(channelReader())
}

/** Whether a folder contains any channel, archived ones included. */
export function hasChannelsInFolder(sql: Sql, folderId: number): boolean {
  return sql.first(`SELECT 1 FROM channel WHERE folder_id = ? LIMIT 1`, folderId) !== undefined
}

/** Lists every channel, archived ones included, by name. */
export function listChannels(sql: Sql): Channel[] {
  return sql.all<ChannelRow>(`SELECT * FROM channel ORDER BY name_key`).map(channelReader())
}

/** Lists the next `limit` of these after a channel; undefined: the first. */
export function listChannelsAfter(sql: Sql, after: Channel | undefined, limit: number): Channel[] {
  return sql
    .all<ChannelRow>(
      `SELECT * FROM channel WHERE name_key > ifnull((SELECT name_key FROM channel WHERE id = ?), '')
       ORDER BY name_key LIMIT ?`,
      after?.id ?? null,
      limit,
    )
    .map(channelReader())
}

/** What a removal of a channel names: of thousands that somebody no longer sees, nothing else is read. */
export type ChannelToRemove = Pick<Channel, 'id' | 'isArchived'>

/** Returns the public channels that guests see by being subscribed alone, archived ones included. */
export function listChannelsHiddenFromGuests(sql: Sql): ChannelToRemove[] {
  // In one row, since there may be thousands.
  const { channels } = sql.first<{ channels: JsonText<[id: number, isArchived: number][]> }>(
    `SELECT json_group_array(json_array(id, is_archived)) AS channels FROM channel
     WHERE is_private = 0 AND is_web_public = 0`,
  )!
  return fromJson(channels).map(([id, isArchived]) => ({ id, isArchived: isArchived === 1 }))
}

export type NewChannel = Omit<
  Channel,
  'id' | 'isArchived' | 'firstMessageId' | 'isRecentlyActive' | 'weeklyTraffic'
>

/** Returns the new channel's id. */
export function insertChannel(sql: WritableSql, channel: NewChannel): number {
  const insert = () =>
    sql.runForFirst<{ id: number }>(
      `INSERT INTO channel (name, name_key, description, rendered_description, created_at, creator_id, is_private,
       is_web_public, history_public, is_default, pushes_by_default, retention_days, topics_policy, folder_id, settings)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
      channel.name,
      nameKey(channel.name),
      channel.description,
      channel.renderedDescription,
      Math.floor(channel.createdAt),
      channel.creatorId,
      Number(channel.isPrivate),
      Number(channel.isWebPublic),
      Number(channel.historyPublicToSubscribers),
      Number(channel.isDefault),
      Number(channel.pushesByDefault),
      channel.retentionDays,
      channel.topicsPolicy,
      channel.folderId,
      JSON.stringify(channel.settings),
    )!.id
  return sql.changing('channel', (id) => [id], insert)
}

const COLUMNS = {
  name: 'name',
  description: 'description',
  renderedDescription: 'rendered_description',
  isPrivate: 'is_private',
  isWebPublic: 'is_web_public',
  historyPublicToSubscribers: 'history_public',
  isArchived: 'is_archived',
  isDefault: 'is_default',
  pushesByDefault: 'pushes_by_default',
  firstMessageId: 'first_message_id',
  retentionDays: 'retention_days',
  topicsPolicy: 'topics_policy',
  folderId: 'folder_id',
  settings: 'settings',
  isRecentlyActive: 'is_recently_active',
  weeklyTraffic: 'weekly_traffic',
} as const satisfies Partial<Record<keyof Channel, string>>

export type ChannelChanges = { -readonly [Key in keyof typeof COLUMNS]?: Channel[Key] }

/** Writes the changed columns, in one statement. */
export function changeChannel(sql: WritableSql, id: number, changes: ChannelChanges): void {
  const columns = Object.entries(changes).map(([key, value]): [string, string | number | null] => [
    COLUMNS[key as keyof typeof COLUMNS],
    columnValue(value),
  ])
  if (changes.name !== undefined) columns.push(['name_key', nameKey(changes.name)])
  if (columns.length === 0) return
  sql.changing('channel', [id], () =>
    sql.run(
      `UPDATE channel SET ${columns.map(([column]) => `${column} = ?`).join(', ')} WHERE id = ?`,
      ...columns.map(([, value]) => value),
      id,
    ),
  )
}

function columnValue(value: unknown): string | number | null {
  if (value === null || typeof value === 'number' || typeof value === 'string') return value
  return typeof value === 'boolean' ? Number(value) : JSON.stringify(value)
}

/** Returns `channelOf` for a list. */
function channelReader(): (row: ChannelRow) => Channel {
  const permissions = permissionsReader()
  return (row) => channelOf(row, permissions(row))
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

function factsOf(row: FactsRow, settings: ChannelPermissions): ChannelFacts {
  return {
    id: row.id,
    name: row.name,
    isPrivate: row.is_private === 1,
    isWebPublic: row.is_web_public === 1,
    historyPublicToSubscribers: row.history_public === 1,
    isArchived: row.is_archived === 1,
    topicsPolicy: row.topics_policy as ChannelTopicsPolicy,
    settings,
  }
}

function channelOf(row: ChannelRow, settings = permissionsOf(row)): Channel {
  return {
    ...factsOf(row, settings),
    description: row.description,
    renderedDescription: row.rendered_description,
    createdAt: row.created_at,
    creatorId: row.creator_id,
    isDefault: row.is_default === 1,
    pushesByDefault: row.pushes_by_default === 1,
    firstMessageId: row.first_message_id,
    retentionDays: row.retention_days,
    folderId: row.folder_id,
    isRecentlyActive: row.is_recently_active === 1,
    weeklyTraffic: row.weekly_traffic,
  }
}

function permissionsOf(row: PermissionsRow, stored = storedPermissions(row)): ChannelPermissions {
  return 'whole' in stored ? stored.whole : { ...defaultPermissions(row.creator_id), ...stored.partial }
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

/** Returns the defaults of settings that were added later, which stored channels lack. */
export function defaultPermissions(creatorId: number | null): ChannelPermissions {
  return Object.fromEntries(
    CHANNEL_GROUP_SETTINGS.map((setting) => [setting.name, defaultGroupSettingValue(setting, creatorId)]),
  ) as ChannelPermissions
}

/** Returns the channels that new users join, ascending. */
export function defaultChannelIds(sql: Sql): number[] {
  return sql
    .all<{ id: number }>(`SELECT id FROM channel WHERE is_default = 1 AND is_archived = 0 ORDER BY id`)
    .map(({ id }) => id)
}

/** Whether there is a channel whose messages are deleted after some time. */
export function hasLimitedChannels(sql: Sql): boolean {
  return sql.first(`SELECT 1 FROM channel WHERE retention_days > 0 LIMIT 1`) !== undefined
}
