import { fromJson, type JsonText } from '../../core/json.ts'
import type { Sql } from '../../core/sql.ts'
import { type Channel, findChannel } from './channel-rows.ts'

/** Who may read a channel without being in it: everybody but guests, or anybody. */
type Openness = 'public' | 'web-public'

interface OpenChannels {
  readonly condition: string
  holds(channel: Channel): boolean
}

const OPEN: Readonly<Record<Openness, OpenChannels>> = {
  public: { condition: 'is_private = 0', holds: ({ isPrivate }) => !isPrivate },
  'web-public': { condition: 'is_web_public = 1', holds: ({ isWebPublic }) => isWebPublic },
}

/** Returns those of the channels that are so open. */
export function openChannelsAmong(sql: Sql, openness: Openness, ids: readonly number[]): Set<number> {
  // In one row, since there may be thousands.
  const { found } = sql.first<{ found: JsonText<number[]> }>(
    `SELECT json_group_array(id) AS found FROM channel
     WHERE id IN (SELECT value FROM json_each(?)) AND ${OPEN[openness].condition}`,
    JSON.stringify(ids),
  )!
  return new Set(fromJson(found))
}

/** Number of channels that are looked up one by one, since the object keeps them, before many are read at a time. */
const SINGLE_CHANNELS = 8
/** Number of ids of channels that are then read together: a page may have messages of hundreds of channels. */
const CHANNELS_AT_ONCE = 256

/** Returns a function that says of one channel after the other whether it is so open. */
export function openChannelReader(sql: Sql, openness: Openness): (id: number) => boolean {
  const single = new Map<number, boolean>()
  const parts = new Map<number, Set<number>>()
  return (id) => {
    const known = single.get(id)
    if (known !== undefined) return known
    if (single.size < SINGLE_CHANNELS) {
      const channel = findChannel(sql, id)
      const isOpen = channel !== undefined && OPEN[openness].holds(channel)
      single.set(id, isOpen)
      return isOpen
    }
    const first = id - (id % CHANNELS_AT_ONCE)
    const part = parts.get(first) ?? openChannelsBetween(sql, openness, first, first + CHANNELS_AT_ONCE - 1)
    parts.set(first, part)
    return part.has(id)
  }
}

function openChannelsBetween(sql: Sql, openness: Openness, first: number, last: number): Set<number> {
  const { found } = sql.first<{ found: JsonText<number[]> }>(
    `SELECT json_group_array(id) AS found FROM channel WHERE id BETWEEN ? AND ? AND ${OPEN[openness].condition}`,
    first,
    last,
  )!
  return new Set(fromJson(found))
}

/** Returns ids of all channels that are not private, archived ones included. */
export function publicChannelIds(sql: Sql): number[] {
  // In one row, since there may be thousands.
  const { ids } = sql.first<{ ids: JsonText<number[]> }>(
    `SELECT json_group_array(id) AS ids FROM channel WHERE is_private = 0`,
  )!
  return fromJson(ids)
}

/**
 * Returns ids of the channels that anybody may read, archived ones included, ascending: at most `limit` of
 * those above `above`.
 */
export function webPublicChannelIds(sql: Sql, { above, limit }: { above: number; limit: number }): number[] {
  return sql
    .all<{ id: number }>(
      `SELECT id FROM channel WHERE is_web_public = 1 AND is_private = 0 AND id > ? ORDER BY id LIMIT ?`,
      above,
      limit,
    )
    .map(({ id }) => id)
}

export function allWebPublicChannelIds(sql: Sql): number[] {
  return webPublicChannelIds(sql, { above: 0, limit: Number.MAX_SAFE_INTEGER })
}

export function hasWebPublicChannel(sql: Sql): boolean {
  return webPublicChannelIds(sql, { above: 0, limit: 1 }).length > 0
}
