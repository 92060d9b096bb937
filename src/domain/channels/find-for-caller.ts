import type { Sql } from '../../core/sql.ts'
import type { Actor } from '../../permissions/actor.ts'
import {
  mayAccessChannelMetadata,
  requireChannelContent,
  requireChannelMetadata,
} from '../../permissions/channel-rules.ts'
import type { Caller } from '../caller.ts'
import { isSubscribed } from '../subscriptions/subscription-rows.ts'
import type { User } from '../users/user-rows.ts'
import { type Channel, findChannel, findChannelByName } from './channel-rows.ts'

/** Finds a channel; undefined also for one that the viewer may not know of: whatever follows is then as for an absent one. */
export function findVisibleChannel(
  sql: Sql,
  viewer: { readonly user: User; readonly actor: Actor },
  named: { readonly id: number } | { readonly name: string },
): Channel | undefined {
  const channel = 'id' in named ? findChannel(sql, named.id) : findChannelByName(sql, named.name)
  const isVisible =
    channel !== undefined &&
    mayAccessChannelMetadata(viewer.actor, channel, isSubscribed(sql, channel.id, viewer.user.id))
  return isVisible ? channel : undefined
}

/** @throws BadRequestError `Invalid channel ID` for one that does not exist or is not visible to the caller. */
export function requireVisibleChannel(sql: Sql, { user, actor }: Caller, id: number): Channel {
  return requireChannelMetadata(actor, findChannel(sql, id), isSubscribed(sql, id, user.id))
}

/** Finds a channel as `requireVisibleChannel` does, for those who may read its messages, archived or not. */
export function requireReadableChannel(sql: Sql, { user, actor }: Caller, id: number): Channel {
  return requireChannelContent(actor, findChannel(sql, id), isSubscribed(sql, id, user.id))
}
