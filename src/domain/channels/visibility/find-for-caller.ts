import type { Walks } from '../../../core/command.ts'
import type { RealmView } from '../../../core/realm-transaction.ts'
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

/** Number of names below which each is looked up separately, and above which they are found in several turns. */
const LOOKED_UP_TOGETHER = 10
const FOUND_IN_A_TURN = 1_000
/** Number of times that they are found again since a channel may have changed meanwhile. */
const TRIES = 3

/** Channels by their `channelNameKey`, as they were in an epoch of what is remembered. */
export interface FoundInTurns {
  readonly epoch: number
  readonly channels: ReadonlyMap<string, ChannelFacts>
}

/**
 * Finds many channels by name, for `load`. Undefined for few, and where channels change faster than they can be found: then
 * `lookUpChannels` finds them in one turn.
 */
export async function findInTurns(
  walks: Walks,
  { sql, remembered }: RealmView,
  names: readonly string[],
): Promise<FoundInTurns | undefined> {
  for (let tries = 0; tries < TRIES && names.length > FOUND_IN_A_TURN; tries += 1) {
    const { epoch } = remembered
    const channels = new Map<string, ChannelFacts>()
    for (let from = 0; from < names.length; from += FOUND_IN_A_TURN) {
      await walks.turn()
      const part = findChannelFactsByName(sql, names.slice(from, from + FOUND_IN_A_TURN))
      for (const [key, channel] of part) channels.set(key, channel)
    }
    // What applies this would otherwise be in the same turn.
    await walks.turn()
    if (remembered.epoch === epoch) return { epoch, channels }
  }
  return undefined
}

/** Looks channels up by name, in three statements however many names there are. `loaded`: as `findInTurns` found them. */
export function lookUpChannels(
  { sql, remembered }: Pick<RealmView, 'sql' | 'remembered'>,
  viewer: { readonly user: User; readonly actor: Actor },
  names: readonly string[],
  loaded?: FoundInTurns,
): (name: string) => NamedForViewer {
  const few = names.length < LOOKED_UP_TOGETHER
  const known = loaded?.epoch === remembered.epoch ? loaded?.channels : undefined
  const found = few ? undefined : (known ?? findChannelFactsByName(sql, names))
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
