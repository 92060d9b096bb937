import type { Command } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { mayAccessChannelContent } from '../../permissions/channel-rules.ts'
import { insufficientPermission } from '../../permissions/role-rules.ts'
import { maySubscribeOthers } from '../../permissions/subscription-rules.ts'
import type { Caller } from '../caller.ts'
import { announceNewChannels, noticeCreated } from '../channels/channel-notices.ts'
import { type Channel, channelNameKey, findChannel, findChannelByName } from '../channels/channel-rows.ts'
import { requireChannelDescription, requireChannelName } from '../channels/channel-text.ts'
import { findVisibleChannel } from '../channels/find-for-caller.ts'
import {
  addChannel,
  type CreationParams,
  requireCreationSettings,
  requireMayCreate,
} from '../channels/new-channel.ts'
import { realmPermissions } from '../realm/realm-setting-rows.ts'
import { findUsers, type User } from '../users/user-rows.ts'
import type { ChannelMembers } from './channel-members.ts'
import { joinAndAnnounce } from './join-and-announce.ts'
import { namesOthers, type Principals, resolvePrincipals, usersAtOnce } from './principals.ts'
import { MAX_BULK_NEW_SUBSCRIPTION_MESSAGES, noticeSubscribed } from './subscription-notices.ts'
import { isSubscribed, subscriptionsAmong } from './subscription-rows.ts'

/** A channel as the request names it. `color` is normalised. */
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

/** User id → channel names. */
type NamesByUser = Record<string, string[]>

export interface SubscribeResult {
  readonly subscribed: NamesByUser
  readonly already_subscribed: NamesByUser
  /** Names of the channels left out, when refusals are not to stop the rest. */
  readonly unauthorized?: readonly string[]
  readonly new_subscription_messages_sent?: boolean
}

/** The part that a commit leaves for the next, with the result so far. */
export interface PartlySubscribed {
  readonly rest: {
    readonly userIds: readonly number[]
    readonly channels: readonly { readonly id: number; readonly color?: string | undefined }[]
    /** Made by the first commit, and told of by the last. */
    readonly createdIds: readonly number[]
    readonly announce: boolean
    readonly result: SubscribeResult
  }
}

/**
 * Subscribes users to channels, thousands in several commits; channels that do not exist are created first.
 * Source: docs/interface/subscriptions.md#subscribe; docs/decisions/interface.md#channels-groups-people.
 */
export const subscribe: Command<Caller, SubscribeParams, void, SubscribeResult | PartlySubscribed> = {
  apply: (tx, caller, params) => subscribeUsers(tx, caller, params),
}

/** The next part of what may be done. */
export const subscribeRest: Command<Caller, PartlySubscribed, void, SubscribeResult | PartlySubscribed> = {
  apply(tx, caller, { rest }) {
    const channels = rest.channels.flatMap(({ id, color }) => {
      const channel = findChannel(tx.sql, id)
      return channel && !channel.isArchived ? [{ channel, color }] : []
    })
    const count = usersAtOnce(rest.userIds.length, rest.channels.length)
    const users = [...findUsers(tx.sql, rest.userIds.slice(0, count)).values()].filter(
      ({ isActive }) => isActive,
    )
    const userIds = users.map(({ id }) => id)
    const joinings = joinAndAnnounce(
      tx,
      channels.map(({ channel, color }) => ({ channel, color, userIds })),
    )
    const { subscribed, already_subscribed } = presentOutcome(users, joinings)
    const result = {
      ...rest.result,
      subscribed: { ...rest.result.subscribed, ...subscribed },
      already_subscribed: { ...rest.result.already_subscribed, ...already_subscribed },
    }
    const left = rest.userIds.slice(count)
    if (left.length > 0) return { rest: { ...rest, userIds: left, result } }
    const created = rest.createdIds.flatMap((id) => findChannel(tx.sql, id) ?? [])
    announceCreated(tx, caller, rest, created)
    return result
  },
}

/** Subscribes users to channels, in one commit where nobody but the caller is named. */
export function subscribeUsers(
  tx: RealmTransaction,
  caller: Caller,
  params: SubscribeParams & { readonly principals?: never },
): SubscribeResult
export function subscribeUsers(
  tx: RealmTransaction,
  caller: Caller,
  params: SubscribeParams,
): SubscribeResult | PartlySubscribed
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
  const now = usersOfFirstCommit(tx, users, channels)
  const userIds = now.map(({ id }) => id)
  const joinings = joinAndAnnounce(
    tx,
    channels.map(({ channel, color }) => ({ channel, color, userIds })),
  )
  const outcome = {
    ...presentOutcome(now, joinings),
    ...(params.authorization_errors_fatal ? {} : { unauthorized }),
  }
  if (now.length < users.length) {
    return {
      rest: {
        userIds: users.slice(now.length).map(({ id }) => id),
        channels: channels.map(({ channel, color }) => ({ id: channel.id, color })),
        createdIds: created.map(({ channel }) => channel.id),
        announce: params.announce,
        // They are too many to be written to.
        result: {
          ...outcome,
          ...(params.send_new_subscription_messages ? { new_subscription_messages_sent: false } : {}),
        },
      },
    }
  }
  return {
    ...outcome,
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
 * All of them, unless that is too much for one commit: then those who come are too many to be told each, and the rest
 * can follow.
 * @throws TooMuchAtOnceError (413)
 */
function usersOfFirstCommit(
  { sql }: RealmReads,
  users: readonly User[],
  channels: readonly ChannelToJoin[],
): readonly User[] {
  const count = usersAtOnce(users.length, channels.length)
  if (users.length <= Math.max(count, MAX_BULK_NEW_SUBSCRIPTION_MESSAGES)) return users
  const ids = users.map(({ id }) => id)
  const coming = new Set(
    channels.flatMap(({ channel }) => {
      const present = subscriptionsAmong(sql, channel.id, ids)
      return ids.filter((id) => !present.get(id)?.isActive)
    }),
  )
  return coming.size <= MAX_BULK_NEW_SUBSCRIPTION_MESSAGES ? users : users.slice(0, count)
}

/** A name of the request, with the channel that has it already. */
interface WantedChannel extends NamedChannel {
  readonly existing: Channel | undefined
  /**
   * By a channel that the caller may not know of: all that is asked of a name that is free is asked first, so
   * that only those who may make channels learn of it (docs/decisions/interface.md#stricter-than-the-public-server).
   */
  readonly isTaken: boolean
}

interface ChannelToJoin {
  readonly channel: Channel
  readonly color: string | undefined
}

/** Finds the named channels. The same name twice is one channel. */
function findNamed(tx: RealmReads, caller: Caller, named: readonly NamedChannel[]): WantedChannel[] {
  const byKey = new Map<string, WantedChannel>()
  for (const one of named) {
    const key = channelNameKey(one.name)
    if (byKey.has(key)) continue
    const existing = findVisibleChannel(tx.sql, caller, one)
    const isTaken = existing === undefined && findChannelByName(tx.sql, one.name) !== undefined
    byKey.set(key, { ...one, existing, isTaken })
  }
  return [...byKey.values()]
}

/** Everything said about new channels is ignored when there are none (docs/decisions/interface.md#channels-groups-people). */
function createMissing(
  tx: RealmTransaction,
  caller: Caller,
  params: SubscribeParams,
  wanted: readonly WantedChannel[],
): ChannelToJoin[] {
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
  const free = texts.filter(({ isTaken }) => !isTaken)
  if (params.authorization_errors_fatal && free.length < texts.length) {
    throw new BadRequestError('Channel name is already in use.')
  }
  return free.map(({ name, description, color }) => ({
    color,
    channel: addChannel(tx, caller, name, description, settings),
  }))
}

function descriptionParameter({ subscriptions }: SubscribeParams, name: string): string {
  return `subscriptions[${subscriptions.findIndex((one) => one.name === name)}]["description"]`
}

/** Existing channels that the caller may join, and add others to if others are named; names of all others. */
function sortByRight(
  tx: RealmReads,
  caller: Caller,
  params: SubscribeParams,
  wanted: readonly WantedChannel[],
): { allowed: ChannelToJoin[]; unauthorized: string[] } {
  const fatal = params.authorization_errors_fatal
  const existing = wanted.flatMap(({ existing: channel, color }) => (channel ? [{ channel, color }] : []))
  const mayJoin = ({ channel }: ChannelToJoin) =>
    mayAccessChannelContent(caller.actor, channel, isSubscribed(tx.sql, channel.id, caller.user.id))
  const closed = existing.filter((one) => !mayJoin(one))
  if (fatal && closed[0]) throw new BadRequestError(`Unable to access channel (${closed[0].channel.name}).`)
  const open = existing.filter((one) => !closed.includes(one))
  const mayAdd = namesOthers(tx, caller, params.principals)
    ? ({ channel }: ChannelToJoin) => maySubscribeOthers(caller.actor, channel, realmPermissions(tx.sql))
    : () => true
  const allowed = open.filter(mayAdd)
  if (fatal && allowed.length < open.length) throw insufficientPermission()
  const unauthorized = existing.filter((one) => !allowed.includes(one))
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
): void {
  if (announce) announceNewChannels(tx, caller, created)
  for (const channel of created) noticeCreated(tx, caller, channel)
}

function presentOutcome(users: readonly User[], joinings: readonly ChannelMembers[]) {
  const subscribed: NamesByUser = {}
  const already: NamesByUser = {}
  for (const { channel, userIds } of joinings) {
    const joined = new Set(userIds)
    for (const { id } of users) {
      const list = joined.has(id) ? subscribed : already
      list[id] ??= []
      list[id].push(channel.name)
    }
  }
  return { subscribed, already_subscribed: already }
}
