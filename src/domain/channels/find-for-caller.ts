import type { Sql } from '../../core/sql.ts'
import { requireChannelContent, requireChannelMetadata } from '../../permissions/channel-rules.ts'
import type { Caller } from '../caller.ts'
import { isSubscribed } from '../subscriptions/subscription-rows.ts'
import { type Channel, findChannel } from './channel-rows.ts'

/** @throws BadRequestError `Invalid channel ID` for one that does not exist or is out of the caller's sight. */
export function requireVisibleChannel(sql: Sql, { user, actor }: Caller, id: number): Channel {
  return requireChannelMetadata(actor, findChannel(sql, id), isSubscribed(sql, id, user.id))
}

/** As `requireVisibleChannel` for those who may read its messages, archived or not. */
export function requireReadableChannel(sql: Sql, { user, actor }: Caller, id: number): Channel {
  return requireChannelContent(actor, findChannel(sql, id), isSubscribed(sql, id, user.id))
}
