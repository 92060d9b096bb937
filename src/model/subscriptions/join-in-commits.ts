import { LARGE_CHANGES_OF_COMMIT, ROWS_OF_SLICE } from '../../core/budgets.ts'
import { type Commits, commit } from '../../core/command.ts'
import { IdSet } from '../../core/id-set.ts'
import { eachInCommits } from '../../core/in-commits.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { type Channel, findChannel, findChannels } from '../../store/channels/channel-rows.ts'
import type { ChannelMembers } from '../../store/subscriptions/subscriber-rows.ts'
import { openSubscribersOf } from '../../store/subscriptions/subscriber-rows.ts'
import { activeUsers } from '../../store/users/account-set-rows.ts'
import type { Caller } from '../caller.ts'
import { channelMetadataAudience } from '../channels/visibility/channel-audiences.ts'
import { announceNewChannels, noticeCreated } from '../sending/channel-notices.ts'
import { joinAndAnnounce } from './join-and-announce.ts'
import { usersAtOnce } from './principals.ts'

/** Channel names by user id. */
type NamesByUser = Record<string, string[]>

/** The users who have joined, and those who were subscribed before. */
export interface JoinedNames {
  readonly subscribed: NamesByUser
  readonly already_subscribed: NamesByUser
}

/** An allowed change that takes several commits. */
export interface JoinPlan {
  readonly userIds: readonly number[]
  readonly channels: readonly ChannelOfPlan[]
  /** Channels that were created for it, and are announced at the end. */
  readonly createdIds: readonly number[]
  readonly announce: boolean
}

interface ChannelOfPlan {
  readonly id: number
  readonly color?: string | undefined
}

/**
 * Lets all users of a plan join its channels, and sends the notices about new ones, in as many commits as it takes: users
 * join the first channels, some users in each commit, then all join the next channels.
 */
export function* joinInCommits({
  userIds,
  channels,
  createdIds,
  announce,
}: JoinPlan): Commits<Caller, JoinedNames> {
  const names: JoinedNames = { subscribed: {}, already_subscribed: {} }
  for (let at = 0; at < channels.length; ) {
    const first = yield* commit((tx, { user }: Caller) => joinFirst(tx, user.id, userIds, channels.slice(at)))
    const together = channels.slice(at, at + first.channels)
    const cost = usersAtOnce(together.length)
    const made = yield* eachInCommits(userIds.slice(first.users), cost, (tx, { user }: Caller, next) =>
      join(tx, user.id, next, together),
    )
    for (const joined of [first, ...made]) addNames(names, joined.names)
    at += first.channels
  }
  yield* eachInCommits(createdIds, LARGE_CHANGES_OF_COMMIT, (tx, caller: Caller, next) => {
    const isFirst = next[0] === createdIds[0]
    if (announce && isFirst) announceNewChannels(tx, caller, findChannels(tx.sql, createdIds))
    for (const channel of findChannels(tx.sql, next)) noticeCreated(tx, caller, channel)
  })
  return names
}

/** Sends the notices about new channels. */
export function announceCreated(
  tx: RealmTransaction,
  caller: Caller,
  announce: boolean,
  created: readonly Channel[],
): void {
  if (announce) announceNewChannels(tx, caller, created)
  for (const channel of created) noticeCreated(tx, caller, channel)
}

/** The result of one commit: this number of users have joined this number of channels. */
interface Joined {
  readonly users: number
  readonly channels: number
  readonly names: JoinedNames
}

/** Lets the first users join the first channels, as many as one commit takes. */
function joinFirst(
  tx: RealmTransaction,
  causeId: number,
  userIds: readonly number[],
  channels: readonly ChannelOfPlan[],
): Joined {
  const ids = channels.slice(0, LARGE_CHANGES_OF_COMMIT).map(({ id }) => id)
  const together = channels.slice(0, channelsAtOnce(tx, ids))
  return join(tx, causeId, userIds.slice(0, usersAtOnce(together.length)), together)
}

function join(
  tx: RealmTransaction,
  causeId: number,
  userIds: readonly number[],
  channels: readonly ChannelOfPlan[],
): Joined {
  const active = activeUsers(tx.sql).and(IdSet.of(userIds)).toArray()
  const wanted = channels.flatMap(({ id, color }) => {
    const channel = findChannel(tx.sql, id)
    return channel && !channel.isArchived ? [{ channel, color, userIds: active }] : []
  })
  const joinings = joinAndAnnounce(tx, wanted, causeId)
  return { users: userIds.length, channels: channels.length, names: namesOfJoining(active, joinings) }
}

/**
 * Returns the number of channels that one commit joins, at least one: new subscribers get the list of the others, and the
 * event of a private channel lists the members of the groups that see it.
 */
export function channelsAtOnce(tx: RealmReads, channelIds: readonly number[]): number {
  if (channelIds.length === 1) return 1
  const ids = channelIds.slice(0, LARGE_CHANGES_OF_COMMIT)
  const counts = ids.map((id) => openSubscribersOf(tx.sql, id).size)
  let notified = 0
  for (const [at, count] of counts.entries()) {
    if (notified >= ROWS_OF_SLICE) return at
    const channel = findChannel(tx.sql, ids[at]!)
    notified += count + ((channel && channelMetadataAudience(tx, channel).users?.length) ?? 0)
  }
  return counts.length
}

/** Returns the names for the answer. Users in `joinings` were not subscribed before. */
export function namesOfJoining(userIds: readonly number[], joinings: readonly ChannelMembers[]): JoinedNames {
  const names: JoinedNames = { subscribed: {}, already_subscribed: {} }
  for (const { channel, userIds: newcomers } of joinings) {
    const joined = new Set(newcomers)
    for (const id of userIds) {
      addName(joined.has(id) ? names.subscribed : names.already_subscribed, String(id), channel.name)
    }
  }
  return names
}

function addNames(names: JoinedNames, added: JoinedNames): void {
  for (const kind of ['subscribed', 'already_subscribed'] as const) {
    for (const [id, list] of Object.entries(added[kind]))
      for (const name of list) addName(names[kind], id, name)
  }
}

function addName(names: NamesByUser, userId: string, name: string): void {
  names[userId] ??= []
  names[userId].push(name)
}
