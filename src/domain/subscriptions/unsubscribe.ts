import type { Command } from '../../core/command.ts'
import { ChannelDoesNotExistError } from '../../core/errors.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { requireMayUnsubscribe } from '../../permissions/subscription-rules.ts'
import type { Caller } from '../caller.ts'
import { type Channel, channelNameKey, findChannel } from '../channels/channel-rows.ts'
import { requireChannelName } from '../channels/channel-text.ts'
import { findVisibleChannel } from '../channels/find-for-caller.ts'
import { findUsers, type User } from '../users/user-rows.ts'
import { type Leaving, leaveChannels, type ReadBeforeLeaving, readBeforeLeaving } from './leave-channels.ts'
import { type Principals, resolvePrincipals, usersAtOnce } from './principals.ts'
import { isSubscribed, subscriptionsAmong } from './subscription-rows.ts'

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

/** The part that a commit leaves for the next, with the result so far. */
export interface PartlyUnsubscribed {
  readonly rest: {
    readonly userIds: readonly number[]
    readonly channelIds: readonly number[]
    readonly result: UnsubscribeResult
    /** The first of them has read what is there up to this message. */
    readonly readUpTo?: number | undefined
  }
}

/** Ends subscriptions, of thousands in several commits. Source: docs/interface/subscriptions.md#unsubscribe; docs/decisions/interface.md#channels-groups-people. */
export const unsubscribe: Command<Caller, UnsubscribeParams, void, UnsubscribeResult | PartlyUnsubscribed> = {
  apply(tx, caller, params) {
    const { users, channels } = requireMayUnsubscribeAll(tx, caller, params)
    return leaveInParts(tx, {
      userIds: users.map(({ id }) => id),
      channelIds: channels.map(({ id }) => id),
      result: { removed: [], not_removed: [] },
    })
  },
}

/** The next part of what may be done. */
export const unsubscribeRest: Command<
  Caller,
  PartlyUnsubscribed,
  void,
  UnsubscribeResult | PartlyUnsubscribed
> = {
  apply: (tx, _caller, { rest }) => leaveInParts(tx, rest),
}

function leaveInParts(
  tx: RealmTransaction,
  { userIds, channelIds, result, readUpTo = 0 }: PartlyUnsubscribed['rest'],
): UnsubscribeResult | PartlyUnsubscribed {
  const channels = channelIds.flatMap((id) => findChannel(tx.sql, id) ?? [])
  const next = userIds.slice(0, usersAtOnce(userIds.length, channels.length))
  const all = leavingAmong(tx, channels, next)
  const read = readBeforeLeaving(tx, all, next, readUpTo)
  const { removed, not_removed } = leave(tx, next.slice(0, read.ready), all)
  const order = new Map(channels.map(({ name }, at) => [name, at]))
  const sorted = (names: string[]) => names.sort((a, b) => order.get(a)! - order.get(b)!)
  const done = {
    removed: sorted([...result.removed, ...removed]),
    not_removed: sorted([...result.not_removed, ...not_removed]),
  }
  const left = userIds.slice(read.ready)
  if (left.length === 0) return done
  return { rest: { userIds: left, channelIds, result: done, readUpTo: read.readUpTo } }
}

/** Unsubscribes users, the caller alone in one commit. */
export function unsubscribeUsers(
  tx: RealmTransaction,
  caller: Caller,
  params: UnsubscribeParams,
): UnsubscribeResult {
  const { users, channels } = requireMayUnsubscribeAll(tx, caller, params)
  const ids = users.map(({ id }) => id)
  const all = leavingAmong(tx, channels, ids)
  for (let read: ReadBeforeLeaving = { ready: 0, readUpTo: 0 }; read.ready < ids.length; ) {
    read = readBeforeLeaving(tx, all, ids, read.readUpTo)
  }
  return leave(tx, ids, all)
}

function requireMayUnsubscribeAll(
  tx: RealmReads,
  caller: Caller,
  params: UnsubscribeParams,
): { users: readonly User[]; channels: readonly Channel[] } {
  const users = resolvePrincipals(tx, caller, params.principals)
  const names = uniqueNames(params.subscriptions.map(requireChannelName))
  const found = names.map((name) => ({ name, channel: findVisibleChannel(tx.sql, caller, { name }) }))
  for (const { channel } of found) if (channel) requireMayRemove(tx, caller, users, channel)
  const channels = found.map(({ name, channel }) => {
    if (!channel) throw new ChannelDoesNotExistError({ name })
    return channel
  })
  return { users, channels }
}

/** The subscribers of each channel among these users. */
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

/** Lets those of the users leave who are subscribed. */
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

function requireMayRemove(
  tx: RealmReads,
  { user: own, actor }: Caller,
  users: readonly User[],
  channel: Channel,
): void {
  const subscribed = isSubscribed(tx.sql, channel.id, own.id)
  for (const user of users) requireMayUnsubscribe(actor, user, channel, subscribed)
}

function uniqueNames(names: readonly string[]): string[] {
  return [...new Map(names.map((name) => [channelNameKey(name), name])).values()]
}
