import type { Command } from '../../core/command.ts'
import { CHANNELS_IN_ONE_COMMIT, LEAVING_IN_ONE_COMMIT } from '../../core/commit-budgets.ts'
import { ChannelDoesNotExistError } from '../../core/errors.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { requireMayUnsubscribe } from '../../permissions/subscription-rules.ts'
import type { Caller } from '../caller.ts'
import { requireChannelName } from '../channels/change/channel-text.ts'
import { type Channel, channelNameKey, findChannel } from '../channels/channel-rows.ts'
import { type FoundInTurns, findInTurns, lookUpChannels } from '../channels/visibility/find-for-caller.ts'
import { findUsers } from '../users/user-rows.ts'
import { type Leaving, leaveChannels, readBeforeLeaving, readOldBeforeLeaving } from './leave-channels.ts'
import { type Principals, requireFew, resolvePrincipals, usersAtOnce } from './principals.ts'
import { subscriptionsAmong } from './subscription-rows.ts'

export interface UnsubscribeParams {
  /** Channel names. */
  readonly subscriptions: readonly string[]
  readonly principals?: Principals
}

export interface UnsubscribeResult {
  /** One name for each user and channel. */
  readonly removed: readonly string[]
  readonly not_removed: readonly string[]
}

/** The users and channels that a commit leaves to the next, with the result so far. */
export interface PartlyUnsubscribed {
  readonly rest: {
    readonly userIds: readonly number[]
    readonly channelIds: readonly number[]
    /** Number of channels that the first user has left. */
    readonly left?: number | undefined
    readonly result: UnsubscribeResult
    /** The message up to which the first user has read everything. */
    readonly readUpTo?: number | undefined
    /**
     * The message up to which the first user has read all channels, when these are more than one commit takes. Old unread
     * messages are searched once in this way, not for each part of the channels.
     */
    readonly oldRead?: number | undefined
  }
}

/**
 * Ends subscriptions, thousands in several commits. Source: docs/interface/subscriptions.md#unsubscribe;
 * docs/decisions/interface.md#channels-groups-people.
 */
export const unsubscribe: Command<
  Caller,
  UnsubscribeParams,
  FoundInTurns | undefined,
  UnsubscribeResult | PartlyUnsubscribed
> = {
  load: ({ walks }, view, _caller, { subscriptions }) => findInTurns(walks, view, subscriptions),
  apply(tx, caller, params, found) {
    const rest = requireMayUnsubscribeAll(tx, caller, params, found)
    // Looking up thousands of names is enough work for one commit.
    return rest.channelIds.length > CHANNELS_IN_ONE_COMMIT ? { rest } : leaveInParts(tx, rest)
  },
}

/** Makes the next part of an allowed change. */
export const unsubscribeRest: Command<
  Caller,
  PartlyUnsubscribed,
  void,
  UnsubscribeResult | PartlyUnsubscribed
> = {
  apply: (tx, _caller, { rest }) => leaveInParts(tx, rest),
}

/**
 * Makes a part of an allowed change: some users leave all of the channels, or one of them leaves as many as
 * one commit takes.
 */
export function leaveInParts(
  tx: RealmTransaction,
  rest: PartlyUnsubscribed['rest'],
): UnsubscribeResult | PartlyUnsubscribed {
  const { userIds, channelIds, left = 0, result, readUpTo = 0 } = rest
  const isMany = channelIds.length > CHANNELS_IN_ONE_COMMIT
  if (isMany && rest.oldRead === undefined) {
    const old = readOldBeforeLeaving(tx, userIds[0]!, channelIds, readUpTo)
    return { rest: { ...rest, ...old } }
  }
  const part = isMany ? channelIds.slice(left, left + CHANNELS_IN_ONE_COMMIT) : channelIds
  const channels = part.flatMap((id) => findChannel(tx.sql, id) ?? [])
  const atOnce = Math.min(usersAtOnce(userIds.length, channels.length), LEAVING_IN_ONE_COMMIT)
  const next = userIds.slice(0, isMany ? 1 : atOnce)
  const all = leavingAmong(tx, channels, next)
  const read = readBeforeLeaving(tx, all, next, Math.max(readUpTo, rest.oldRead ?? 0))
  const { removed, not_removed } = leave(tx, next.slice(0, read.ready), all)
  const order = new Map(channels.map(({ name }, at) => [name, at]))
  // Names of earlier parts of the channels come first already.
  const sorted = (names: string[]) => (isMany ? names : names.sort((a, b) => order.get(a)! - order.get(b)!))
  const done = {
    removed: sorted([...result.removed, ...removed]),
    not_removed: sorted([...result.not_removed, ...not_removed]),
  }
  const isThrough = !isMany || left + part.length >= channelIds.length
  if (read.ready > 0 && !isThrough) {
    return { rest: { ...rest, left: left + part.length, result: done, readUpTo: 0 } }
  }
  const others = userIds.slice(read.ready)
  if (others.length === 0) return done
  const leftBefore = read.ready > 0 ? 0 : left
  return {
    rest: {
      userIds: others,
      channelIds,
      left: leftBefore,
      result: done,
      readUpTo: read.readUpTo,
      oldRead: read.ready > 0 ? undefined : rest.oldRead,
    },
  }
}

/** Returns what is to be done, when the caller may do all of it. */
export function requireMayUnsubscribeAll(
  tx: RealmReads,
  caller: Caller,
  params: UnsubscribeParams,
  channels?: FoundInTurns,
): PartlyUnsubscribed['rest'] {
  const users = resolvePrincipals(tx, caller, params.principals)
  const names = uniqueNames(params.subscriptions.map(requireChannelName))
  requireFew(users.length, names.length)
  const lookUp = lookUpChannels(tx, caller, names, channels)
  const found = names.map((name) => ({ name, ...lookUp(name) }))
  for (const { visible, isSubscribed } of found) {
    if (visible) for (const user of users) requireMayUnsubscribe(caller.actor, user, visible, isSubscribed)
  }
  const channelIds = found.map(({ name, visible }) => {
    if (!visible) throw new ChannelDoesNotExistError({ name })
    return visible.id
  })
  return { userIds: users.map(({ id }) => id), channelIds, result: { removed: [], not_removed: [] } }
}

/** Returns the subscribers of each channel among these users. */
function leavingAmong(
  { sql }: RealmReads,
  channels: readonly Channel[],
  userIds: readonly number[],
): Leaving {
  const leaving = channels.map((channel) => {
    const subscriptions = subscriptionsAmong(sql, channel.id, userIds)
    return { channel, userIds: userIds.filter((id) => subscriptions.get(id)?.isActive) }
  })
  return { leaving, users: findUsers(sql, [...new Set(leaving.flatMap(({ userIds: left }) => left))]) }
}

/** Ends the subscriptions of those of the users who are subscribed. */
function leave(tx: RealmTransaction, userIds: readonly number[], all: Leaving): UnsubscribeResult {
  const isReady = new Set(userIds)
  const leaving = all.leaving.map(({ channel, userIds: left }) => ({
    channel,
    userIds: left.filter((id) => isReady.has(id)),
  }))
  leaveChannels(tx, { ...all, leaving })
  const repeated = (count: (left: number) => number) =>
    leaving.flatMap(({ channel, userIds: left }) => Array<string>(count(left.length)).fill(channel.name))
  return {
    removed: repeated((left) => left),
    not_removed: repeated((left) => userIds.length - left),
  }
}

function uniqueNames(names: readonly string[]): string[] {
  return [...new Map(names.map((name) => [channelNameKey(name), name])).values()]
}
