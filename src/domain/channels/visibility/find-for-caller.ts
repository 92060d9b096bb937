import type { Walks } from '../../../core/command.ts'
import { followed, upToDate } from '../../../core/made-in-turns.ts'
import { nameKey } from '../../../core/names.ts'
import type { MadeInTurns, RealmView } from '../../../core/realm-transaction.ts'
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
  channelNames,
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
const FOUND_IN_A_TURN = 500

/** Channels by their `nameKey`. */
export type FoundInTurns = MadeInTurns<ReadonlyMap<string, ChannelFacts>>

/** Finds many channels by name, for `load`. Undefined for few, which `lookUpChannels` finds. */
export async function findInTurns(
  walks: Walks,
  { sql, remembered }: RealmView,
  names: readonly string[],
): Promise<FoundInTurns | undefined> {
  if (names.length <= FOUND_IN_A_TURN) return undefined
  const wanted = new Set(names.map(nameKey))
  return followed<FoundInTurns['value']>(walks, remembered, {
    async make() {
      const channels = new Map<string, ChannelFacts>()
      for (let from = 0; from < names.length; from += FOUND_IN_A_TURN) {
        await walks.turn()
        const part = findChannelFactsByName(sql, names.slice(from, from + FOUND_IN_A_TURN))
        for (const [key, channel] of part) channels.set(key, channel)
      }
      // What applies this would otherwise be in the same turn.
      await walks.turn()
      return channels
    },
    mend(before, changed) {
      const others = [...before].filter(([, { id }]) => !changed.has(id))
      const now = findChannelFactsByName(sql, [...channelNames(sql, [...changed]).values()])
      return new Map([...others, ...[...now].filter(([key]) => wanted.has(key))])
    },
  })
}

/** Looks channels up by name, in three statements however many names there are. `loaded`: as `findInTurns` found them. */
export function lookUpChannels(
  { sql, remembered }: Pick<RealmView, 'sql' | 'remembered'>,
  viewer: { readonly user: User; readonly actor: Actor },
  names: readonly string[],
  loaded?: FoundInTurns,
): (name: string) => NamedForViewer {
  const few = names.length < LOOKED_UP_TOGETHER
  const found = few ? undefined : loaded ? upToDate(remembered, loaded) : findChannelFactsByName(sql, names)
  const ids = found && Array.from(found.values(), ({ id }) => id)
  const subscribed = ids && subscribedAmong(sql, viewer.user.id, ids)
  return (name) => {
    const channel = found ? found.get(nameKey(name)) : findChannelByName(sql, name)
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
