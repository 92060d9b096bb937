import type { Command } from '../../core/command.ts'
import {
  CHANNELS_IN_ONE_COMMIT,
  COLORS_READ_IN_ONE_COMMIT,
  NEW_CHANNELS_OF_ONE_REQUEST,
  NOTICES_IN_ONE_COMMIT,
  RENDERED_IN_ONE_COMMIT,
  SUBSCRIBERS_NOTIFIED_IN_ONE_COMMIT,
  SUBSCRIPTIONS_IN_ONE_COMMIT,
} from '../../core/commit-budgets.ts'
import { BadRequestError, TooMuchAtOnceError } from '../../core/errors.ts'
import { nameKey } from '../../core/names.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { renderingCost } from '../../markdown/rendering-cost.ts'
import { type ChannelFacts, mayAccessChannelContent } from '../../permissions/channel-rules.ts'
import { insufficientPermission } from '../../permissions/role-rules.ts'
import { maySubscribeOthers } from '../../permissions/subscription-rules.ts'
import type { Caller } from '../caller.ts'
import { announceNewChannels, noticeCreated } from '../channels/change/channel-notices.ts'
import { requireChannelDescription, requireChannelName } from '../channels/change/channel-text.ts'
import { type Channel, channelsById, findChannel, wholeChannel } from '../channels/channel-rows.ts'
import {
  addChannels,
  type CreationParams,
  requireCreationSettings,
  requireMayCreate,
} from '../channels/create/new-channel.ts'
import { channelMetadataAudience } from '../channels/visibility/channel-audiences.ts'
import { lookUpChannels } from '../channels/visibility/find-for-caller.ts'
import { realmPermissions } from '../realm/realm-setting-rows.ts'
import { activeUserIdsAmong } from '../users/user-id-rows.ts'
import type { User } from '../users/user-rows.ts'
import type { ChannelMembers } from './channel-members.ts'
import { joinAndAnnounce } from './join-and-announce.ts'
import { requireFewEnded } from './join-limits.ts'
import {
  afterJoining,
  type JoinedPart,
  type JoinPlan,
  type NamesByUser,
  type PartlySubscribed,
  type SubscribeResult,
} from './join-plan.ts'
import { namesOthers, type Principals, requireFew, resolvePrincipals, usersAtOnce } from './principals.ts'
import { countSubscribersInTurn, countSubscriptionsOf } from './subscription-count-rows.ts'
import { MAX_BULK_NEW_SUBSCRIPTION_MESSAGES, noticeSubscribed } from './subscription-notices.ts'
import { subscriptionsAmong, usersWithFewColors } from './subscription-rows.ts'

/** A channel of the request. `color` is normalised. */
export interface NamedChannel {
  readonly name: string
  readonly description?: string
  readonly color?: string
}

export interface SubscribeParams extends CreationParams {
  readonly subscriptions: readonly NamedChannel[]
  readonly announce: boolean
  readonly principals?: Principals
  readonly authorization_errors_fatal: boolean
  readonly send_new_subscription_messages: boolean
}

/**
 * Subscribes users to channels, thousands in several commits; channels that do not exist are created first.
 * Source: docs/interface/subscriptions.md#subscribe; docs/decisions/interface.md#channels-groups-people.
 */
export const subscribe: Command<Caller, SubscribeParams, void, SubscribeResult | PartlySubscribed> = {
  apply: subscribeUsers,
}

/** Makes a part of an allowed change. */
export const subscribeRest: Command<
  Caller,
  NextOfJoin,
  void,
  SubscribeResult | PartlySubscribed | JoinedPart
> = {
  apply: (tx, caller, { part }) => joinPart(tx, caller, part),
}

/** A part of a plan, as `nextOfJoin` returns it. */
export interface NextOfJoin {
  readonly part: JoinPlan
}

/** Subscribes all users to all channels of a request, in one commit, or as many as one commit takes. */
export function subscribeUsers(
  tx: RealmTransaction,
  caller: Caller,
  params: SubscribeParams,
): SubscribeResult | PartlySubscribed {
  const wanted = findNamed(tx, caller, params.subscriptions)
  const created = createMissing(tx, caller, params, wanted)
  const { allowed, unauthorized } = sortByRight(tx, caller, params, wanted)
  const users = resolvePrincipals(tx, caller, params.principals)
  const channels = [...created, ...allowed]
  requireFew(users.length, channels.length)
  if (users.length === 1) requireFewEnded(tx.sql, users[0]!.id)
  const refused = params.authorization_errors_fatal ? {} : { unauthorized }
  if (created.length > NOTICES_IN_ONE_COMMIT || !fitsIntoOneCommit(tx, users, channels)) {
    // Too many users, or too many channels, for a message to each.
    const areAllNotified = !namesOthers(tx, caller, params.principals)
    const notified = params.send_new_subscription_messages
      ? { new_subscription_messages_sent: areAllNotified }
      : {}
    const rest = {
      userIds: users.map(({ id }) => id),
      channels: channels.map(({ channel, color }) => ({ id: channel.id, color })),
      createdIds: created.map(({ channel }) => channel.id),
      announce: params.announce,
      result: { subscribed: {}, already_subscribed: {}, ...refused, ...notified },
    }
    // Looking up thousands of names or people is enough work for one commit.
    const areMany = channels.length > CHANNELS_IN_ONE_COMMIT || users.length > SUBSCRIPTIONS_IN_ONE_COMMIT
    return areMany ? { rest } : joinNext(tx, caller, rest)
  }
  const userIds = users.map(({ id }) => id)
  const joinings = joinAndAnnounce(
    tx,
    channels.map(({ channel, color }) => ({ channel: wholeChannel(tx.sql, channel), color, userIds })),
  )
  return {
    ...presentOutcome(userIds, joinings),
    ...refused,
    ...sendNotices(
      tx,
      caller,
      params,
      joinings,
      created.map(({ channel }) => channel),
    ),
  }
}

/**
 * Whether everything fits into one commit. Otherwise there are too many users for a message to each, and the
 * rest can follow.
 * @throws TooMuchAtOnceError (413)
 */
function fitsIntoOneCommit(
  tx: RealmReads,
  users: readonly Pick<User, 'id'>[],
  channels: readonly ChannelToJoin[],
): boolean {
  const count = usersAtOnce(users.length, channels.length)
  const channelIds = channels.map(({ channel }) => channel.id)
  if (channels.length > CHANNELS_IN_ONE_COMMIT) return false
  if (channels.length > 1) {
    if (channelsAtOnce(tx, channelIds, channelsById(tx.sql, channelIds)) < channels.length) return false
  }
  if (users.length <= Math.max(count, MAX_BULK_NEW_SUBSCRIPTION_MESSAGES)) return true
  // Nobody is looked up where there are more users than could be in a channel already.
  const mostPresent = users.length - MAX_BULK_NEW_SUBSCRIPTION_MESSAGES
  if (channelIds.some((id) => countSubscriptionsOf(tx.sql, [id], mostPresent) < mostPresent)) return false
  const ids = users.map(({ id }) => id)
  const coming = new Set(
    channels.flatMap(({ channel }) => {
      const present = subscriptionsAmong(tx.sql, channel.id, ids)
      return ids.filter((id) => !present.get(id)?.isActive)
    }),
  )
  return coming.size <= MAX_BULK_NEW_SUBSCRIPTION_MESSAGES
}

/**
 * Returns how many of the channels one commit joins, since new subscribers get the list of the others, and
 * the event of a private channel lists the members of the groups that see it. At least one.
 */
function channelsAtOnce(
  tx: RealmReads,
  channelIds: readonly number[],
  channels: ReadonlyMap<number, Channel>,
): number {
  if (channelIds.length === 1) return 1
  const ids = channelIds.slice(0, CHANNELS_IN_ONE_COMMIT)
  const counts = countSubscribersInTurn(tx.sql, ids, SUBSCRIBERS_NOTIFIED_IN_ONE_COMMIT)
  let notified = 0
  for (const [at, count] of counts.entries()) {
    if (notified >= SUBSCRIBERS_NOTIFIED_IN_ONE_COMMIT) return at
    const channel = channels.get(ids[at]!)
    notified += count + ((channel && channelMetadataAudience(tx, channel).users?.length) ?? 0)
  }
  return counts.length
}

/** Makes the first part of an allowed change, or all of it. */
export function joinNext(
  tx: RealmTransaction,
  caller: Caller,
  plan: JoinPlan,
): SubscribeResult | PartlySubscribed {
  const left = plan.channels.length === 0 ? plan : afterJoining(plan, joinSome(tx, plan))
  // The notices about several new channels take commits of their own.
  const isOver = left.channels.length === 0 && left.createdIds.length <= 1
  return isOver || left === plan ? announceNext(tx, caller, left) : { rest: left }
}

/** Makes one commit's part of an allowed change, or sends the next notices after the last of these. */
export function joinPart(
  tx: RealmTransaction,
  caller: Caller,
  part: JoinPlan,
): SubscribeResult | PartlySubscribed | JoinedPart {
  return part.channels.length === 0 ? announceNext(tx, caller, part) : joinSome(tx, part)
}

/** Lets the first users of a plan join its first channels, as many as one commit takes. */
function joinSome(tx: RealmTransaction, plan: JoinPlan): JoinedPart {
  const ids = plan.channels.slice(0, plan.part?.channels ?? CHANNELS_IN_ONE_COMMIT).map(({ id }) => id)
  const found = channelsById(tx.sql, ids)
  const channels = plan.part?.channels ?? channelsAtOnce(tx, ids, found)
  const next = plan.userIds.slice(0, usersAtOnce(plan.userIds.length, channels))
  const users = usersWithFewColors(tx.sql, next, COLORS_READ_IN_ONE_COMMIT)
  const userIds = activeUserIdsAmong(tx.sql, next.slice(0, users))
  const wanted = plan.channels.slice(0, channels).flatMap(({ id, color }) => {
    const channel = found.get(id)
    return channel && !channel.isArchived ? [{ channel, color, userIds }] : []
  })
  return { joined: { channels, users, result: presentOutcome(userIds, joinAndAnnounce(tx, wanted)) } }
}

/** Sends the notices about new channels after everybody has joined, some in each commit. */
function announceNext(
  tx: RealmTransaction,
  caller: Caller,
  rest: JoinPlan,
): SubscribeResult | PartlySubscribed {
  const created = rest.createdIds.flatMap((id) => findChannel(tx.sql, id) ?? [])
  announceCreated(tx, caller, rest, created, NOTICES_IN_ONE_COMMIT)
  const createdIds = rest.createdIds.slice(NOTICES_IN_ONE_COMMIT)
  return createdIds.length > 0 ? { rest: { ...rest, createdIds, announce: false } } : rest.result
}

/** A name of the request, with the existing channel. */
interface WantedChannel extends NamedChannel {
  readonly existing: ChannelFacts | undefined
  /**
   * Whether the name belongs to a channel that the caller may not know of: everything that a free name
   * requires is checked first, so that only callers who may make channels learn of it
   * (docs/decisions/interface.md#stricter-than-the-public-server).
   */
  readonly isTaken: boolean
  readonly isSubscribed: boolean
}

interface ChannelToJoin {
  readonly channel: Channel | ChannelFacts
  readonly color: string | undefined
}

/** A channel that exists. `isSubscribed`: whether the caller is. */
interface ExistingChannel extends ChannelToJoin {
  readonly isSubscribed: boolean
}

function namesOf(named: readonly NamedChannel[]): string[] {
  return named.map(({ name }) => name)
}

/** Finds the named channels. The same name twice is one channel. */
function findNamed(tx: RealmReads, caller: Caller, named: readonly NamedChannel[]): WantedChannel[] {
  const byKey = new Map<string, WantedChannel>()
  const lookUp = lookUpChannels(tx, caller, namesOf(named))
  for (const one of named) {
    const key = nameKey(one.name)
    if (byKey.has(key)) continue
    const { visible, exists, isSubscribed } = lookUp(one.name)
    byKey.set(key, { ...one, existing: visible, isTaken: exists && !visible, isSubscribed })
  }
  return [...byKey.values()]
}

/**
 * Creates missing channels. Settings of new channels are ignored when there are none
 * (docs/decisions/interface.md#channels-groups-people).
 */
function createMissing(
  tx: RealmTransaction,
  caller: Caller,
  params: SubscribeParams,
  wanted: readonly WantedChannel[],
): (ChannelToJoin & { readonly channel: Channel })[] {
  const missing = wanted.filter(({ existing }) => !existing)
  if (missing.length === 0) return []
  const settings = requireCreationSettings(tx, caller, params)
  const texts = missing.map(({ name, description = '', color, isTaken }) => ({
    description: requireChannelDescription(description, descriptionParameter(params, name)),
    name: requireChannelName(name),
    color,
    isTaken,
  }))
  requireMayCreate(tx, caller, params)
  const described = renderingCost(texts.map(({ description }) => description))
  if (missing.length > NEW_CHANNELS_OF_ONE_REQUEST || described > RENDERED_IN_ONE_COMMIT) {
    throw new TooMuchAtOnceError()
  }
  const free = texts.filter(({ isTaken }) => !isTaken)
  if (params.authorization_errors_fatal && free.length < texts.length) {
    throw new BadRequestError('Channel name is already in use.')
  }
  return addChannels(tx, caller, free, settings).map((channel, at) => ({ channel, color: free[at]!.color }))
}

function descriptionParameter({ subscriptions }: SubscribeParams, name: string): string {
  return `subscriptions[${subscriptions.findIndex((one) => one.name === name)}]["description"]`
}

/**
 * Returns existing channels that the caller may join, and add others to if others are named; and names of all
 * others.
 */
function sortByRight(
  tx: RealmReads,
  caller: Caller,
  params: SubscribeParams,
  wanted: readonly WantedChannel[],
): { allowed: ChannelToJoin[]; unauthorized: string[] } {
  const fatal = params.authorization_errors_fatal
  const existing = wanted.flatMap(({ existing: channel, color, isSubscribed }): ExistingChannel[] =>
    channel ? [{ channel, color, isSubscribed }] : [],
  )
  const mayJoin = ({ channel, isSubscribed }: ExistingChannel) =>
    mayAccessChannelContent(caller.actor, channel, isSubscribed)
  const closed = fatal ? existing.find((one) => !mayJoin(one)) : undefined
  if (closed) throw new BadRequestError(`Unable to access channel (${closed.channel.name}).`)
  const open = existing.filter(mayJoin)
  const permissions = realmPermissions(tx.sql)
  const mayAdd = namesOthers(tx, caller, params.principals)
    ? ({ channel }: ChannelToJoin) => maySubscribeOthers(caller.actor, channel, permissions)
    : () => true
  const allowed = open.filter(mayAdd)
  if (fatal && allowed.length < open.length) throw insufficientPermission()
  const isAllowed = new Set(allowed)
  const unauthorized = existing.filter((one) => !isAllowed.has(one))
  const taken = wanted.flatMap(({ name, isTaken }) => (isTaken ? [name.trim()] : []))
  return { allowed, unauthorized: [...unauthorized.map(({ channel }) => channel.name), ...taken] }
}

/** Sends the notices, in the order of docs/interface/subscriptions.md#events-of-subscribing. */
function sendNotices(
  tx: RealmTransaction,
  caller: Caller,
  params: SubscribeParams,
  joinings: readonly ChannelMembers[],
  created: readonly Channel[],
): Pick<SubscribeResult, 'new_subscription_messages_sent'> {
  const sent = params.send_new_subscription_messages
    ? { new_subscription_messages_sent: noticeSubscribed(tx, caller, joinings, created) }
    : {}
  announceCreated(tx, caller, params, created)
  return sent
}

function announceCreated(
  tx: RealmTransaction,
  caller: Caller,
  { announce }: { readonly announce: boolean },
  created: readonly Channel[],
  atOnce = created.length,
): void {
  if (announce) announceNewChannels(tx, caller, created)
  for (const channel of created.slice(0, atOnce)) noticeCreated(tx, caller, channel)
}

function presentOutcome(userIds: readonly number[], joinings: readonly ChannelMembers[]) {
  const subscribed: NamesByUser = {}
  const already: NamesByUser = {}
  for (const { channel, userIds: newcomers } of joinings) {
    const joined = new Set(newcomers)
    for (const id of userIds) {
      const list = joined.has(id) ? subscribed : already
      list[id] ??= []
      list[id].push(channel.name)
    }
  }
  return { subscribed, already_subscribed: already }
}
