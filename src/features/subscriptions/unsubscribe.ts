import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { jsonNames } from '../../api/parameter-types.ts'
import { LARGE_CHANGES_OF_COMMIT } from '../../core/budgets.ts'
import { type Commits, commit } from '../../core/command.ts'
import { ChannelDoesNotExistError } from '../../core/errors.ts'
import { IdSet } from '../../core/id-set.ts'
import { nameKey } from '../../core/names.ts'
import { inParts } from '../../core/parts-of-lists.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { requireChannelName } from '../../model/channels/change/channel-values.ts'
import { lookUpChannels } from '../../model/channels/visibility/find-for-caller.ts'
import {
  type Principals,
  requireFew,
  resolvePrincipals,
  usersAtOnce,
} from '../../model/subscriptions/principals.ts'
import { requireMayUnsubscribe } from '../../rules/channel-rules.ts'
import { type Channel, findChannel } from '../../store/channels/channel-rows.ts'
import { subscribersOf } from '../../store/subscriptions/subscriber-rows.ts'
import { findUsers } from '../../store/users/user-rows.ts'
import {
  type Leaving,
  leaveChannels,
  type OldRead,
  readBeforeLeaving,
  readOldBeforeLeaving,
} from './leave-channels.ts'
import { principals } from './subscription-parameters.ts'

/** Ends subscriptions, one's own or others'. Source: docs/interface/subscriptions.md#unsubscribe. */
export const unsubscribeEndpoint = defineEndpoint({
  operation: 'unsubscribe',
  method: 'DELETE',
  path: '/users/me/subscriptions',
  access: 'user',
  params: { subscriptions: jsonNames, principals: v.optional(principals) },
  returns: v.object({ removed: v.array(v.string()), not_removed: v.array(v.string()) }),
  command: { commits: unsubscribe },
  audit: { because: 'Who is in a channel is shown with it.' },
})

interface UnsubscribeParams {
  /** Channel names. */
  readonly subscriptions: readonly string[]
  readonly principals?: Principals
}

export interface UnsubscribeResult {
  /** One name for each user and channel. */
  readonly removed: readonly string[]
  readonly not_removed: readonly string[]
}

/**
 * Ends subscriptions, thousands in several commits. Source: docs/interface/subscriptions.md#unsubscribe;
 * docs/decisions/interface.md#channels-groups-people.
 */
function* unsubscribe(params: UnsubscribeParams): Commits<Caller, UnsubscribeResult> {
  return yield* endOfLeaving(
    yield* commit((tx, caller: Caller) => beginLeaving(tx, requireMayUnsubscribeAll(tx, caller, params))),
  )
}

/** An allowed change, and what its first commit has done of it. */
interface BegunLeaving extends LeavePlan {
  readonly left?: Left
}

/** What one commit has done: its first users have left its channels; and how far the next one has read them. */
interface Left {
  readonly users: number
  readonly readUpTo: number
  /** By channel, in their order. A channel that is gone has no name, and nobody. */
  readonly counts: readonly CountOfLeft[]
}

interface CountOfLeft {
  readonly name: string
  readonly removed: number
  readonly notRemoved: number
}

/** Makes an allowed change, if it is one for a single commit, which has room for it besides the look-ups. */
export function beginLeaving(tx: RealmTransaction, plan: LeavePlan): BegunLeaving {
  const { userIds, channelIds } = plan
  if (areManyToLeave(channelIds) || userIds.length > LARGE_CHANGES_OF_COMMIT) return plan
  return { ...plan, left: leaveSome(tx, userIds, channelIds, 0) }
}

/** Whether one user after the other leaves, some of the channels in each commit. */
function areManyToLeave(channelIds: readonly number[]): boolean {
  return channelIds.length > LARGE_CHANGES_OF_COMMIT
}

/** Makes the commits that are left. The names of the answer are in the order of the channels. */
export function* endOfLeaving({
  userIds,
  channelIds,
  left,
}: BegunLeaving): Commits<Caller, UnsubscribeResult> {
  const counts: CountOfLeft[] = []
  if (!areManyToLeave(channelIds)) counts.push(...(yield* leaveTogether(userIds, channelIds, { left })))
  else for (const userId of userIds) addCounts(counts, yield* leaveMany(userId, channelIds))
  const repeated = (kind: 'removed' | 'notRemoved') =>
    counts.flatMap((count) => Array<string>(count[kind]).fill(count.name))
  return { removed: repeated('removed'), not_removed: repeated('notRemoved') }
}

/** Lets users leave channels, as many users in each commit as one takes. `oldRead`: the message up to which they have read everything. */
function* leaveTogether(
  userIds: readonly number[],
  channelIds: readonly number[],
  begun: { readonly left?: Left | undefined; readonly oldRead?: number },
): Commits<Caller, CountOfLeft[]> {
  const counts: CountOfLeft[] = []
  let [at, readUpTo] = [0, begun.oldRead ?? 0]
  for (let next = begun.left; ; next = undefined) {
    const left: Left =
      next ??
      (yield* commit((tx) =>
        leaveSome(tx, userIds.slice(at, at + LARGE_CHANGES_OF_COMMIT), channelIds, readUpTo),
      ))
    addCounts(counts, left.counts)
    at += left.users
    readUpTo = Math.max(left.readUpTo, begun.oldRead ?? 0)
    if (at >= userIds.length) return counts
  }
}

/** Lets one user leave more channels than one commit takes. Old unread messages are searched once, not for each part of the channels. */
function* leaveMany(userId: number, channelIds: readonly number[]): Commits<Caller, CountOfLeft[]> {
  let [readUpTo, oldRead]: [number, number | undefined] = [0, undefined]
  while (oldRead === undefined) {
    const old: OldRead = yield* commit((tx) => readOldBeforeLeaving(tx, userId, channelIds, readUpTo))
    ;({ readUpTo, oldRead } = { oldRead: undefined, ...old })
  }
  const counts: CountOfLeft[] = []
  for (const part of inParts(channelIds, LARGE_CHANGES_OF_COMMIT)) {
    counts.push(...(yield* leaveTogether([userId], part, { oldRead })))
  }
  return counts
}

function addCounts(counts: CountOfLeft[], added: readonly CountOfLeft[]): void {
  for (const [at, { name, removed, notRemoved }] of added.entries()) {
    const before = counts[at] ?? { name: '', removed: 0, notRemoved: 0 }
    counts[at] = {
      name: name || before.name,
      removed: before.removed + removed,
      notRemoved: before.notRemoved + notRemoved,
    }
  }
}

/** Lets the first of the users leave channels, as many as one commit takes. `readUpTo`: the message up to which the first one has read everything. */
function leaveSome(
  tx: RealmTransaction,
  userIds: readonly number[],
  channelIds: readonly number[],
  readUpTo: number,
): Left {
  const channels = channelIds.map((id) => findChannel(tx.sql, id))
  const next = userIds.slice(0, usersAtOnce(userIds.length, channels.length))
  const all = leavingAmong(
    tx,
    channels.flatMap((channel) => channel ?? []),
    next,
  )
  const read = readBeforeLeaving(tx, all, next, readUpTo)
  const left = leave(tx, next.slice(0, read.ready), all)
  const counts = channels.map((channel) => {
    if (!channel) return { name: '', removed: 0, notRemoved: 0 }
    const removed = left.get(channel.id) ?? 0
    return { name: channel.name, removed, notRemoved: read.ready - removed }
  })
  return { users: read.ready, readUpTo: read.readUpTo, counts }
}

/** Who is to leave which channels. */
interface LeavePlan {
  readonly userIds: readonly number[]
  readonly channelIds: readonly number[]
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
  return { userIds: users.map(({ id }) => id), channelIds }
}

/** Returns the subscribers of each channel among these users. */
function leavingAmong(
  { sql }: RealmReads,
  channels: readonly Channel[],
  userIds: readonly number[],
): Leaving {
  const users = IdSet.of(userIds)
  const leaving = channels.map((channel) => ({
    channel,
    userIds: subscribersOf(sql, channel.id).and(users).toArray(),
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
