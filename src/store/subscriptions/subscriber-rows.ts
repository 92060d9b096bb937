import { IdSet } from '../../core/id-set.ts'
import { fromJson, type JsonText } from '../../core/json.ts'
import type { Sql } from '../../core/sql.ts'
import type { Channel } from '../channels/channel-rows.ts'
import { storedSet } from '../id-set-rows.ts'
import { activeGuests, closedAccounts, nameOfAccount } from '../users/account-set-rows.ts'

/** Users who join or leave a channel together. */
export interface ChannelMembers {
  readonly channel: Channel
  /** Ascending ids. */
  readonly userIds: readonly number[]
}

/** The present subscribers of a channel, closed accounts included. */
export function subscribersOf(sql: Sql, channelId: number): IdSet {
  return storedSet(sql, `subscribers ${channelId}`)
}

/** The present subscribers of a channel with open accounts. */
export function openSubscribersOf(sql: Sql, channelId: number): IdSet {
  return subscribersOf(sql, channelId).andNot(closedAccounts(sql))
}

/** Guests among the subscribers, who see a public channel only while they are in it. */
export function guestSubscribersOf(sql: Sql, channelId: number): IdSet {
  return subscribersOf(sql, channelId).and(activeGuests(sql))
}

export function isSubscribed(sql: Sql, channelId: number, userId: number): boolean {
  return subscribersOf(sql, channelId).has(userId)
}

/** The channels to which the user is subscribed now. */
export function channelsOf(sql: Sql, userId: number): IdSet {
  return sql.kept(`channels of ${userId}`, () => {
    const { ids } = sql.about('subscription', nameOfAccount(userId), () =>
      sql.first<{ ids: JsonText<number[]> }>(
        `SELECT json_group_array(channel_id) AS ids FROM subscription WHERE user_id = ? AND is_active = 1`,
        userId,
      ),
    )!
    return IdSet.of(fromJson(ids))
  })
}

/** Lists the user's subscriptions, past ones included, which still have their settings. */
export function listSubscriptionsOfUser(sql: Sql, userId: number): readonly Subscription[] {
  return sql.kept(`subscriptions of ${userId}`, () => readSubscriptions(sql, userId))
}

/** Returns the same by channel id. */
export function subscriptionsByChannel(sql: Sql, userId: number): ReadonlyMap<number, Subscription> {
  return sql.kept(`subscriptions of ${userId} by channel`, () => {
    const all = listSubscriptionsOfUser(sql, userId)
    return new Map(all.map((one) => [one.channelId, one]))
  })
}

/**
 * Reads them in one row of JSON, since thousands of rows of their own take three times as long: at most as many as there may be
 * channels, 10,000, of some 90 characters each.
 */
function readSubscriptions(sql: Sql, userId: number): Subscription[] {
  return sql
    .list<SubscriptionValues>(
      `SELECT json_group_array(${SUBSCRIPTION_AS_JSON}) AS found FROM subscription WHERE user_id = ?`,
      userId,
    )
    .map(subscriptionOf)
}

/** The personal side of a channel. Null notification settings inherit the user's own. */
export interface Subscription {
  readonly channelId: number
  readonly userId: number
  readonly isActive: boolean
  /** Events above this id, and messages above this one, were received in the present period. */
  readonly sinceEvent: number
  readonly sinceMessage: number
  readonly color: string
  readonly isMuted: boolean
  readonly pinToTop: boolean
  readonly desktopNotifications: boolean | null
  readonly audibleNotifications: boolean | null
  readonly pushNotifications: boolean | null
  readonly emailNotifications: boolean | null
  readonly wildcardMentionsNotify: boolean | null
}

/** A row as JSON, since thousands of rows take three times as long as one row with a list. */
export const SUBSCRIPTION_AS_JSON = `json_array(channel_id, user_id, subscription.is_active, since_event, since_message, color, is_muted, pin_to_top,
  desktop_notifications, audible_notifications, push_notifications, email_notifications, wildcard_mentions_notify)`

/** The form that `SUBSCRIPTION_AS_JSON` gives. */
export type SubscriptionValues = [
  channel_id: number,
  user_id: number,
  is_active: number,
  since_event: number,
  since_message: number,
  color: string,
  is_muted: number,
  pin_to_top: number,
  desktop_notifications: number | null,
  audible_notifications: number | null,
  push_notifications: number | null,
  email_notifications: number | null,
  wildcard_mentions_notify: number | null,
]

export function subscriptionOf([
  channelId,
  userId,
  isActive,
  sinceEvent,
  sinceMessage,
  color,
  isMuted,
  pinToTop,
  desktop,
  audible,
  push,
  email,
  wildcard,
]: SubscriptionValues): Subscription {
  return {
    channelId,
    userId,
    isActive: isActive === 1,
    sinceEvent,
    sinceMessage,
    color,
    isMuted: isMuted === 1,
    pinToTop: pinToTop === 1,
    desktopNotifications: booleanOrNull(desktop),
    audibleNotifications: booleanOrNull(audible),
    pushNotifications: booleanOrNull(push),
    emailNotifications: booleanOrNull(email),
    wildcardMentionsNotify: booleanOrNull(wildcard),
  }
}

const booleanOrNull = (value: number | null) => (value === null ? null : value === 1)
