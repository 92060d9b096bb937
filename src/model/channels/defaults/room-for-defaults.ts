import { BadRequestError } from '../../../core/errors.ts'
import type { Sql } from '../../../core/sql.ts'
import { defaultChannelIds } from '../../../store/channels/channel-rows.ts'

/** Limit of an organization's default channels: a new account joins all of them in the commit that makes it. */
const MAX_DEFAULT_CHANNELS = 500

/** Refuses more default channels than allowed. Existing ones stay. */
export function requireRoomForDefaults(sql: Sql, further: number): void {
  if (hasRoomForDefault(sql, further)) return
  throw new BadRequestError(`An organization cannot have more than ${MAX_DEFAULT_CHANNELS} default channels.`)
}

export function hasRoomForDefault(sql: Sql, further = 1): boolean {
  return defaultChannelIds(sql).length + further <= MAX_DEFAULT_CHANNELS
}
