import type { Sql } from '../../../core/sql.ts'
import type { Actor } from '../../../permissions/actor.ts'
import {
  type ChannelFacts,
  mayAccessChannelMetadata,
  requireChannelContent,
  requireChannelMetadata,
} from '../../../permissions/channel-rules.ts'
import type { Caller } from '../../caller.ts'
import { isSubscribed, subscribedAmong } from '../../subscriptions/subscription-rows.ts'
import type { User } from '../../users/user-rows.ts'
import {
  type Channel,
  channelNameKey,
  findChannel,
  findChannelByName,
  findChannelFactsByName,
} from '../channel-rows.ts'

/**
 * Finds a channel; undefined also for one that the viewer may not know of, which is then treated like an
 * absent one.
 */
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

/** A name, with the channel that has it as far as the viewer may know. */
export interface NamedForViewer {
  /** Undefined also for a channel that the viewer may not know of. */
  readonly visible: ChannelFacts | undefined
  /** Whether a channel has this name, even if the viewer may not know. */
  readonly exists: boolean
  readonly isSubscribed: boolean
}

/** Number of names below which each is looked up separately. */
const LOOKED_UP_TOGETHER = 10

/** Looks channels up by name, in three statements however many names there are. */
export function lookUpChannels(
  sql: Sql,
  viewer: { readonly user: User; readonly actor: Actor },
  names: readonly string[],
): (name: string) => NamedForViewer {
  const few = names.length < LOOKED_UP_TOGETHER
  const found = few ? undefined : findChannelFactsByName(sql, names)
  const ids = found && Array.from(found.values(), ({ id }) => id)
  const subscribed = ids && subscribedAmong(sql, viewer.user.id, ids)
  return (name) => {
    const channel = found ? found.get(channelNameKey(name)) : findChannelByName(sql, name)
    if (!channel) return { visible: undefined, exists: false, isSubscribed: false }
    const own = subscribed?.has(channel.id) ?? isSubscribed(sql, channel.id, viewer.user.id)
    const isVisible = mayAccessChannelMetadata(viewer.actor, channel, own)
    return { visible: isVisible ? channel : undefined, exists: true, isSubscribed: own }
  }
}

/**
 * Returns a channel. @throws BadRequestError `Invalid channel ID` when there is no such channel or the
 * caller may not know of it.
 */
export function requireVisibleChannel(sql: Sql, { user, actor }: Caller, id: number): Channel {
  return requireChannelMetadata(actor, findChannel(sql, id), isSubscribed(sql, id, user.id))
}

/**
 * Finds a channel as `requireVisibleChannel` does, for callers who may read its messages, archived or not.
 */
export function requireReadableChannel(sql: Sql, { user, actor }: Caller, id: number): Channel {
  return requireChannelContent(actor, findChannel(sql, id), isSubscribed(sql, id, user.id))
}
