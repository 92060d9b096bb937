import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { jsonNames } from '../../api/parameter-types.ts'
import { LARGE_CHANGES_OF_COMMIT } from '../../core/budgets.ts'
import { type Commits, commit } from '../../core/command.ts'
import { ChannelDoesNotExistError } from '../../core/errors.ts'
import { IdSet } from '../../core/id-set.ts'
import { eachInCommits, inCommits } from '../../core/in-commits.ts'
import { nameKey } from '../../core/names.ts'
import { inParts } from '../../core/parts-of-lists.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { requireChannelName } from '../../model/channels/change/channel-values.ts'
import { lookUpChannels } from '../../model/channels/visibility/find-for-caller.ts'
import {
  announceRead,
  type Leaving,
  leaveChannels,
  type OldRead,
  readBeforeLeaving,
  readOldBeforeLeaving,
} from '../../model/subscriptions/leave-channels.ts'
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
import { principals } from './subscription-parameters.ts'

/**
 * Ends subscriptions, one's own or others', in several commits if there are thousands. Source: docs/interface/subscriptions.md#unsubscribe.
 */
export const unsubscribeEndpoint = defineEndpoint({
  operation: 'unsubscribe',
  route: 'DELETE /users/me/subscriptions',
  access: 'user',
  params: { subscriptions: jsonNames, principals: v.optional(principals) },
  returns: v.object({ removed: v.array(v.string()), not_removed: v.array(v.string()) }),
  command: {
    *commits(params) {
      return yield* endOfLeaving(
        yield* commit((tx, caller: Caller) => beginLeaving(tx, requireMayUnsubscribeAll(tx, caller, params))),
      )
    },
  },
  audit: { because: 'A channel shows its subscribers.' },
})

interface UnsubscribeParams {
  /** Channel names. */
  readonly subscriptions: readonly string[]
  readonly principals?: Principals
}

export interface UnsubscribeResult {
  /** One name per user and channel. */
  readonly removed: readonly string[]
  readonly not_removed: readonly string[]
}

/** An allowed change, and the progress of its first commit. */
interface BegunLeaving extends LeavePlan {
  readonly left?: Left
}

/** The progress of a commit: how many of its users have left the channels, and how far the next user has read them. */
interface Left {
  readonly users: number
  readonly readUpTo: number
  /** Per channel, in order. A deleted channel has no name and no counts. */
  readonly counts: readonly CountOfLeft[]
}

interface CountOfLeft {
  readonly name: string
  readonly removed: number
  readonly notRemoved: number
}

/** Makes an allowed change if it fits into this commit, along with the look-ups. */
export function beginLeaving(tx: RealmTransaction, plan: LeavePlan): BegunLeaving {
  const { userIds, channelIds } = plan
  if (areManyToLeave(channelIds) || userIds.length > LARGE_CHANGES_OF_COMMIT) return plan
  return { ...plan, left: leaveSome(tx, userIds, channelIds, 0) }
}

/** Whether the users leave one after the other, some of the channels in each commit. */
function areManyToLeave(channelIds: readonly number[]): boolean {
  return channelIds.length > LARGE_CHANGES_OF_COMMIT
}

/** Makes the remaining commits. The names in the answer are in the order of the channels. */
export function* endOfLeaving({
  userIds,
  channelIds,
  left,
}: BegunLeaving): Commits<Caller, UnsubscribeResult> {
  const counts: CountOfLeft[] = []
  if (!areManyToLeave(channelIds)) addCounts(counts, yield* leaveTogether(userIds, channelIds, { left }))
  else for (const userId of userIds) addCounts(counts, yield* leaveMany(userId, channelIds))
  const repeated = (kind: 'removed' | 'notRemoved') =>
    counts.flatMap((count) => Array<string>(count[kind]).fill(count.name))
  return { removed: repeated('removed'), not_removed: repeated('notRemoved') }
}

/**
 * Lets users leave channels, as many users per commit as fit. `left`: the result of the first commit, if it is made; `oldRead`: the message
 * up to which they have read everything.
 */
function* leaveTogether(
  userIds: readonly number[],
  channelIds: readonly number[],
  { left, oldRead = 0 }: { readonly left?: Left | undefined; readonly oldRead?: number },
): Commits<Caller, CountOfLeft[]> {
  const others = userIds.slice(left?.users ?? 0)
  const made = yield* eachInCommits(
    others,
    ({ users }: Left) => users,
    (tx, _caller: Caller, next, before = left) => {
      const readUpTo = Math.max(before?.readUpTo ?? 0, oldRead)
      return leaveSome(tx, next.slice(0, LARGE_CHANGES_OF_COMMIT), channelIds, readUpTo)
    },
  )
  const counts: CountOfLeft[] = []
  for (const one of left ? [left, ...made] : made) addCounts(counts, one.counts)
  return counts
}

/** Lets a user leave more channels than fit into one commit. Old unread messages are searched once, not for each part of the channels. */
function* leaveMany(userId: number, channelIds: readonly number[]): Commits<Caller, CountOfLeft[]> {
  const { oldRead } = yield* inCommits<Caller, OldRead, Required<OldRead>>(
    (tx, _caller, old) => readOldBeforeLeaving(tx, userId, channelIds, old?.readUpTo ?? 0),
    (old): old is OldRead => old.oldRead === undefined,
  )
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

/** Lets as many of the users leave as fit into one commit. `readUpTo`: the message up to which the first one has read everything. */
function leaveSome(
  tx: RealmTransaction,
  userIds: readonly number[],
  channelIds: readonly number[],
  readUpTo: number,
): Left {
  const channels = channelIds.map((id) => findChannel(tx.sql, id))
  const next = userIds.slice(0, usersAtOnce(channels.length))
  const all = leavingAmong(
    tx,
    channels.flatMap((channel) => channel ?? []),
    next,
  )
  const read = readBeforeLeaving(tx, all, next, readUpTo)
  const left = leave(tx, next.slice(0, read.ready), all)
  announceRead(tx, read.readBy)
  const counts = channels.map((channel) => {
    if (!channel) return { name: '', removed: 0, notRemoved: 0 }
    const removed = left.get(channel.id) ?? 0
    return { name: channel.name, removed, notRemoved: read.ready - removed }
  })
  return { users: read.ready, readUpTo: read.readUpTo, counts }
}

/** The users and the channels that they are to leave. */
interface LeavePlan {
  readonly userIds: readonly number[]
  readonly channelIds: readonly number[]
}

/** Returns the plan, if the caller may carry out all of it. */
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

/** Returns each channel's subscribers among these users. */
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

/** Ends the users' subscriptions. Returns how many have left each channel, by id. */
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
