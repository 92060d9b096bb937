import type { Command } from '../../core/command.ts'
import { ChannelDoesNotExistError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { requireMayUnsubscribe } from '../../permissions/subscription-rules.ts'
import type { Caller } from '../caller.ts'
import { type Channel, channelNameKey } from '../channels/channel-rows.ts'
import { requireChannelName } from '../channels/channel-text.ts'
import { findVisibleChannel } from '../channels/find-for-caller.ts'
import type { User } from '../users/user-rows.ts'
import { leaveChannels } from './leave-channels.ts'
import { type Principals, resolvePrincipals } from './principals.ts'
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

/** Ends subscriptions. Source: SPEC 4.4; behaviour 4.4; decisions 4. */
export const unsubscribe: Command<Caller, UnsubscribeParams, void, UnsubscribeResult> = {
  apply: (tx, caller, params) => unsubscribeUsers(tx, caller, params),
}

export function unsubscribeUsers(
  tx: RealmTransaction,
  caller: Caller,
  params: UnsubscribeParams,
): UnsubscribeResult {
  const users = resolvePrincipals(tx, caller, params.principals)
  const names = uniqueNames(params.subscriptions.map(requireChannelName))
  const found = names.map((name) => ({ name, channel: findVisibleChannel(tx.sql, caller, { name }) }))
  for (const { channel } of found) if (channel) requireMayRemove(tx, caller, users, channel)
  const channels = found.map(({ name, channel }) => {
    if (!channel) throw new ChannelDoesNotExistError({ name })
    return channel
  })
  const userIds = users.map(({ id }) => id)
  const leaving = channels.map((channel) => {
    const subscriptions = subscriptionsAmong(tx.sql, channel.id, userIds)
    return { channel, userIds: userIds.filter((id) => subscriptions.get(id)?.isActive) }
  })
  leaveChannels(tx, leaving)
  const repeated = (count: (left: number) => number) =>
    leaving.flatMap(({ channel, userIds: left }) => Array<string>(count(left.length)).fill(channel.name))
  return {
    removed: repeated((left) => left),
    not_removed: repeated((left) => userIds.length - left),
  }
}

function requireMayRemove(
  tx: RealmTransaction,
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
