import * as v from 'valibot'
import { defineEndpoint, type ParametersOf } from '../../api/define-endpoint.ts'
import { jsonBoolean } from '../../api/parameter-types.ts'
import { creationParameters } from '../../api/shared-parameters.ts'
import { LARGE_CHANGES_OF_COMMIT } from '../../core/budgets.ts'
import { type Commits, commit } from '../../core/command.ts'
import { BadRequestError, TooMuchAtOnceError } from '../../core/errors.ts'
import { nameKey } from '../../core/names.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { RENDERED_IN_ONE_COMMIT, renderingCost } from '../../markdown/render-types.ts'
import type { Caller } from '../../model/caller.ts'
import { requireChannelDescription, requireChannelName } from '../../model/channels/change/channel-values.ts'
import {
  addChannels,
  requireCreationSettings,
  requireMayCreate,
} from '../../model/channels/create/new-channel.ts'
import { lookUpChannels } from '../../model/channels/visibility/find-for-caller.ts'
import { joinAndAnnounce } from '../../model/subscriptions/join-and-announce.ts'
import {
  announceCreated,
  channelsAtOnce,
  type JoinedNames,
  type JoinPlan,
  joinInCommits,
  namesOfJoining,
} from '../../model/subscriptions/join-in-commits.ts'
import {
  MAX_BULK_NEW_SUBSCRIPTION_MESSAGES,
  noticeSubscribed,
} from '../../model/subscriptions/notice-subscribed.ts'
import {
  namesOthers,
  requireFew,
  resolvePrincipals,
  usersAtOnce,
} from '../../model/subscriptions/principals.ts'
import { mayAccessChannelContent, maySubscribeOthers } from '../../rules/channel-rules.ts'
import { insufficientPermission } from '../../rules/roles.ts'
import type { Channel } from '../../store/channels/channel-rows.ts'
import { realmPermissions } from '../../store/realm/realm-setting-rows.ts'
import { hasEndedMoreThan } from '../../store/subscriptions/period-rows.ts'
import type { ChannelMembers } from '../../store/subscriptions/subscriber-rows.ts'
import { subscribersOf } from '../../store/subscriptions/subscriber-rows.ts'
import type { User } from '../../store/users/user-rows.ts'
import { channelsToJoin, namesByUser, principals } from './subscription-parameters.ts'

const subscribeParams = {
  subscriptions: channelsToJoin,
  ...creationParameters,
  announce: v.optional(jsonBoolean, 'false'),
  principals: v.optional(principals),
  authorization_errors_fatal: v.optional(jsonBoolean, 'true'),
  send_new_subscription_messages: v.optional(jsonBoolean, 'true'),
}
type SubscribeParams = ParametersOf<typeof subscribeParams>
/** A channel in the request. `color` is normalised. */
type NamedChannel = SubscribeParams['subscriptions'][number]

/**
 * Subscribes users to channels, in several commits if there are thousands; missing channels are created first.
 * Source: docs/interface/subscriptions.md#subscribe; docs/decisions/interface.md#channels-groups-people.
 */
export const subscribeEndpoint = defineEndpoint({
  operation: 'subscribe',
  route: 'POST /users/me/subscriptions',
  access: 'member',
  growsObject: true,
  params: subscribeParams,
  returns: v.object({
    subscribed: namesByUser,
    already_subscribed: namesByUser,
    unauthorized: v.optional(v.array(v.string())),
    new_subscription_messages_sent: v.optional(v.boolean()),
  }),
  command: {
    *commits(params) {
      return yield* endOfSubscribing(
        yield* commit((tx, caller: Caller) => beginSubscribing(tx, caller, params)),
      )
    },
  },
  audit: { because: 'A channel and its events show its subscribers.' },
})

/** New channels in one request, all created in one commit: some 0.2 ms each. */
const NEW_CHANNELS_OF_ONE_REQUEST = 200

export interface SubscribeResult extends JoinedNames {
  /** Names of the channels left out, if refusals are not fatal. */
  readonly unauthorized?: readonly string[]
  readonly new_subscription_messages_sent?: boolean
}

/** The plan that the first commit leaves to others, with the rest of the answer. */
interface BegunSubscribing {
  readonly plan: JoinPlan
  readonly answer: Omit<SubscribeResult, keyof JoinedNames>
}

/** Makes the commits that the first one has left. */
export function* endOfSubscribing(
  begun: SubscribeResult | BegunSubscribing,
): Commits<Caller, SubscribeResult> {
  return 'plan' in begun ? { ...(yield* joinInCommits(begun.plan)), ...begun.answer } : begun
}

/** Subscribes all users to all channels of a request, or leaves that to further commits. */
export function beginSubscribing(
  tx: RealmTransaction,
  caller: Caller,
  params: SubscribeParams,
): SubscribeResult | BegunSubscribing {
  const wanted = findNamed(tx, caller, params.subscriptions)
  const created = createMissing(tx, caller, params, wanted)
  const { allowed, unauthorized } = sortByRight(tx, caller, params, wanted)
  const users = resolvePrincipals(tx, caller, params.principals)
  const channels = [...created, ...allowed]
  requireFew(users.length, channels.length)
  if (users.length === 1) requireFewEnded(tx.sql, users[0]!.id)
  const refused = params.authorization_errors_fatal ? {} : { unauthorized }
  const userIds = users.map(({ id }) => id)
  if (created.length > LARGE_CHANGES_OF_COMMIT || !fitsIntoOneCommit(tx, users, channels)) {
    // There are too many users, or too many channels, for notices.
    const areAllNotified = !namesOthers(tx, caller, params.principals)
    const notified = params.send_new_subscription_messages
      ? { new_subscription_messages_sent: areAllNotified }
      : {}
    const plan = {
      userIds,
      channels: channels.map(({ channel, color }) => ({ id: channel.id, color })),
      createdIds: created.map(({ channel }) => channel.id),
      announce: params.announce,
    }
    return { plan, answer: { ...refused, ...notified } }
  }
  const joinings = joinAndAnnounce(
    tx,
    channels.map(({ channel, color }) => ({ channel, color, userIds })),
    caller.user.id,
  )
  return {
    ...namesOfJoining(userIds, joinings),
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

/** Whether everything fits into one commit. If not, there are too many users for notices, and the rest can follow. */
function fitsIntoOneCommit(
  tx: RealmReads,
  users: readonly Pick<User, 'id'>[],
  channels: readonly ChannelToJoin[],
): boolean {
  const channelIds = channels.map(({ channel }) => channel.id)
  if (channels.length > LARGE_CHANGES_OF_COMMIT) return false
  if (channels.length > 1) {
    if (channelsAtOnce(tx, channelIds) < channels.length) return false
  }
  if (users.length <= Math.max(usersAtOnce(channels.length), MAX_BULK_NEW_SUBSCRIPTION_MESSAGES)) return true
  // No subscriptions are compared if there are more users than could already be in a channel.
  const mostPresent = users.length - MAX_BULK_NEW_SUBSCRIPTION_MESSAGES
  if (channelIds.some((id) => subscribersOf(tx.sql, id).size < mostPresent)) return false
  const ids = users.map(({ id }) => id)
  const coming = new Set(
    channels.flatMap(({ channel }) => {
      const present = subscribersOf(tx.sql, channel.id)
      return ids.filter((id) => !present.has(id))
    }),
  )
  return coming.size <= MAX_BULK_NEW_SUBSCRIPTION_MESSAGES
}

/** A name in the request, with the existing channel. */
interface WantedChannel extends NamedChannel {
  readonly existing: Channel | undefined
  /**
   * Whether the name belongs to a channel that the caller may not know of. It is refused only after the checks for a new channel, so that
   * only callers who may create channels learn of it (docs/decisions/interface.md#stricter-than-the-public-server).
   */
  readonly isTaken: boolean
  readonly isSubscribed: boolean
}

interface ChannelToJoin {
  readonly channel: Channel
  readonly color: string | undefined
}

/** An existing channel. `isSubscribed`: whether the caller is subscribed. */
interface ExistingChannel extends ChannelToJoin {
  readonly isSubscribed: boolean
}

function namesOf(named: readonly NamedChannel[]): string[] {
  return named.map(({ name }) => name)
}

/** Finds the named channels. A repeated name counts once. */
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
 * Creates missing channels. Settings for new channels are ignored if there are none (docs/decisions/interface.md#channels-groups-people).
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

/** Returns the existing channels that the caller may join, and add users to if others are named; and the names of all other channels. */
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
  const { origin } = caller.source
  const sent = params.send_new_subscription_messages
    ? { new_subscription_messages_sent: noticeSubscribed(tx, { by: caller, created, origin }, joinings) }
    : {}
  announceCreated(tx, caller, params.announce, created)
  return sent
}

/**
 * Ended subscriptions beyond which an account can begin no others: a row of each stays, since it says which messages and events the account
 * has received.
 */
const ENDED_SUBSCRIPTIONS_OF_ACCOUNT = 50_000

/**
 * Refuses to subscribe an account that has joined and left too often: each time leaves a permanent row.
 * @throws BadRequestError
 */
function requireFewEnded(sql: Sql, userId: number): void {
  if (!hasEndedMoreThan(sql, userId, ENDED_SUBSCRIPTIONS_OF_ACCOUNT)) return
  throw new BadRequestError(
    `One account cannot have more than ${ENDED_SUBSCRIPTIONS_OF_ACCOUNT} ended subscriptions.`,
  )
}
