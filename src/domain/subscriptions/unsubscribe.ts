import type { Command } from '../../core/command.ts'
import { LEAVING_IN_ONE_COMMIT } from '../../core/commit-budgets.ts'
import { ChannelDoesNotExistError } from '../../core/errors.ts'
import { nameKey } from '../../core/names.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { requireMayUnsubscribe } from '../../permissions/subscription-rules.ts'
import type { Caller } from '../caller.ts'
import { requireChannelName } from '../channels/change/channel-text.ts'
import { type Channel, channelsById } from '../channels/channel-rows.ts'
import { lookUpChannels } from '../channels/visibility/find-for-caller.ts'
import { findUsers } from '../users/user-rows.ts'
import { type Leaving, leaveChannels, readBeforeLeaving, readOldBeforeLeaving } from './leave-channels.ts'
import {
  afterLeaving,
  areManyToLeave,
  type LeavePlan,
  type LeftPart,
  NOBODY_LEFT,
  type PartlyUnsubscribed,
  resultOfLeaving,
  type UnsubscribeResult,
} from './leave-plan.ts'
import { type Principals, requireFew, resolvePrincipals, usersAtOnce } from './principals.ts'
import { subscriptionsInEach } from './subscription-rows.ts'

export interface UnsubscribeParams {
  /** Channel names. */
  readonly subscriptions: readonly string[]
  readonly principals?: Principals
}

/**
 * Ends subscriptions, thousands in several commits. Source: docs/interface/subscriptions.md#unsubscribe;
 * docs/decisions/interface.md#channels-groups-people.
 */
export const unsubscribe: Command<Caller, UnsubscribeParams, void, UnsubscribeResult | PartlyUnsubscribed> = {
  apply: (tx, caller, params) => leaveFirst(tx, requireMayUnsubscribeAll(tx, caller, params)),
}

/** A part of a plan, as `nextOfLeaving` returns it. */
export interface NextOfLeaving {
  readonly part: LeavePlan
}

/** Makes a part of an allowed change. */
export const unsubscribeRest: Command<Caller, NextOfLeaving, void, UnsubscribeResult | LeftPart> = {
  // After the last part it only answers.
  apply: (tx, _caller, { part }) =>
    part.userIds.length === 0 ? resultOfLeaving(part.result) : leaveSome(tx, part),
}

/** Makes an allowed change, if it is one for a single commit, which has room for it besides the look-ups. */
export function leaveFirst(tx: RealmTransaction, plan: LeavePlan): UnsubscribeResult | PartlyUnsubscribed {
  if (areManyToLeave(plan.channelIds) || plan.userIds.length > LEAVING_IN_ONE_COMMIT) return { rest: plan }
  const rest = afterLeaving(plan, leaveSome(tx, plan))
  return rest.userIds.length > 0 ? { rest } : resultOfLeaving(rest.result)
}

/** Lets the first users of a plan leave its channels, or read old messages of these if they are too many to leave in one commit. */
export function leaveSome(
  tx: RealmTransaction,
  { userIds, channelIds, readUpTo = 0, oldRead = 0 }: LeavePlan,
): LeftPart {
  if (areManyToLeave(channelIds)) {
    const old = readOldBeforeLeaving(tx, userIds[0]!, channelIds, readUpTo)
    return { left: { users: 0, result: NOBODY_LEFT, ...old } }
  }
  const found = channelsById(tx.sql, channelIds)
  const channels = channelIds.map((id) => found.get(id))
  const next = userIds.slice(0, usersAtOnce(userIds.length, channels.length))
  const all = leavingAmong(
    tx,
    channels.flatMap((channel) => channel ?? []),
    next,
  )
  const read = readBeforeLeaving(tx, all, next, Math.max(readUpTo, oldRead))
  const left = leave(tx, next.slice(0, read.ready), all)
  const counts = channels.map((channel) => (channel ? (left.get(channel.id) ?? 0) : 0))
  return {
    left: {
      users: read.ready,
      readUpTo: read.readUpTo,
      result: {
        names: channels.map((channel) => channel?.name ?? ''),
        removed: counts,
        notRemoved: channels.map((channel, at) => (channel ? read.ready - counts[at]! : 0)),
      },
    },
  }
}

/** Returns what is to be done, when the caller may do all of it. */
export function requireMayUnsubscribeAll(
  tx: RealmReads,
  caller: Caller,
  params: UnsubscribeParams,
): LeavePlan {
  const users = resolvePrincipals(tx, caller, params.principals)
  const names = uniqueNames(params.subscriptions)
  for (const name of names) requireChannelName(name)
  requireFew(users.length, names.length)
  const lookUp = lookUpChannels(tx, caller, names)
  const found = names.map((name) => ({ name, ...lookUp(name) }))
  for (const { visible, isSubscribed } of found) {
    if (visible) for (const user of users) requireMayUnsubscribe(caller.actor, user, visible, isSubscribed)
  }
  const channelIds = found.map(({ name, visible }) => {
    if (!visible) throw new ChannelDoesNotExistError({ name })
    return visible.id
  })
  return { userIds: users.map(({ id }) => id), channelIds, result: NOBODY_LEFT }
}

/** Returns the subscribers of each channel among these users. */
function leavingAmong(
  { sql }: RealmReads,
  channels: readonly Channel[],
  userIds: readonly number[],
): Leaving {
  const subscriptions = subscriptionsInEach(
    sql,
    channels.map((channel) => ({ channel, userIds })),
  )
  const leaving = channels.map((channel, at) => ({
    channel,
    userIds: userIds.filter((id) => subscriptions[at]!.get(id)?.isActive),
  }))
  return { leaving, users: findUsers(sql, [...new Set(leaving.flatMap(({ userIds: left }) => left))]) }
}

/** Ends the subscriptions of those of the users who are subscribed. Returns how many have left each channel, by its id. */
function leave(tx: RealmTransaction, userIds: readonly number[], all: Leaving): Map<number, number> {
  const isReady = new Set(userIds)
  const leaving = all.leaving.map(({ channel, userIds: left }) => ({
    channel,
    userIds: left.filter((id) => isReady.has(id)),
  }))
  leaveChannels(tx, { ...all, leaving })
  return new Map(leaving.map(({ channel, userIds: left }) => [channel.id, left.length]))
}

function uniqueNames(names: readonly string[]): string[] {
  return [...new Map(names.map((name) => [nameKey(name), name])).values()]
}
