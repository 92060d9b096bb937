import { fromJson, type JsonText } from '../../core/json.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'
import { addToSet, removeFromSet } from '../id-set-rows.ts'
import { nameOfAccount } from '../users/account-set-rows.ts'
import {
  SUBSCRIPTION_AS_JSON,
  type Subscription,
  type SubscriptionValues,
  subscriptionOf,
} from './subscriber-rows.ts'

export type { Subscription } from './subscriber-rows.ts'

/** The newest ids of the log and of the messages, at which a period begins or ends. */
export interface Position {
  readonly event: number
  readonly message: number
}

interface FoundSubscription {
  readonly found: JsonText<SubscriptionValues>
}

export function findSubscription(sql: Sql, channelId: number, userId: number): Subscription | undefined {
  return sql.kept(`subscription of ${userId} in ${channelId}`, () => {
    const row = sql.about('subscription', channelId, () =>
      sql.first<FoundSubscription>(
        `SELECT ${SUBSCRIPTION_AS_JSON} AS found FROM subscription WHERE channel_id = ? AND user_id = ?`,
        channelId,
        userId,
      ),
    )
    return row && subscriptionOf(fromJson(row.found))
  })
}

export function mutedChannelIds(sql: Sql, userId: number): ReadonlySet<number> {
  return sql.kept(`muted channels of ${userId}`, () => {
    const ids = sql.list(
      `SELECT json_group_array(channel_id) AS ids FROM subscription
       WHERE user_id = ? AND is_active = 1 AND is_muted = 1`,
      userId,
    )
    return new Set(ids)
  })
}

/** Subscribers who have the same settings in a channel, and the same of their own. */
export interface AlikeSubscribers {
  readonly userIds: readonly number[]
  readonly subscription: Subscription
  /** Their own settings that differ from the defaults. */
  readonly settings: Readonly<Record<string, unknown>>
}

/** Returns present subscribers whose account is active, by their settings. */
export function subscribersBySettings(sql: Sql, channelId: number): AlikeSubscribers[] {
  // A row for each subscriber would cost more than everything else.
  return sql
    .all<FoundSubscription & { ids: JsonText<number[]>; settings: JsonText<Record<string, unknown>> }>(
      `SELECT ${SUBSCRIPTION_AS_JSON} AS found, u.settings, json_group_array(user_id) AS ids
       FROM subscription JOIN user u ON u.id = user_id
       WHERE channel_id = ? AND subscription.is_active = 1 AND u.is_active = 1
       GROUP BY u.settings, color, is_muted, pin_to_top, desktop_notifications, audible_notifications, push_notifications,
         email_notifications, wildcard_mentions_notify`,
      channelId,
    )
    .map((row) => ({
      userIds: fromJson(row.ids),
      subscription: subscriptionOf(fromJson(row.found)),
      settings: fromJson(row.settings),
    }))
}

/** Returns the subscriptions of those of the users who are or were subscribed, by user id: ascending. */
export function subscriptionsAmong(
  sql: Sql,
  channelId: number,
  userIds: readonly number[],
): Map<number, Subscription> {
  const found = userIds
    .toSorted((a, b) => a - b)
    .flatMap((userId) => findSubscription(sql, channelId, userId) ?? [])
  return new Map(found.map((subscription) => [subscription.userId, subscription]))
}

interface UsersOfChannel {
  readonly channel: { readonly id: number }
  readonly userIds: readonly number[]
}

/** Returns channels and users as JSON: `[[channel, user], …]`. */
function inPairs(channels: readonly UsersOfChannel[]): string {
  return JSON.stringify(channels.flatMap(({ channel, userIds }) => userIds.map((id) => [channel.id, id])))
}

/** Returns the next present subscribers whose account is active, ascending by user: the first `limit` above an id. */
export function nextSubscriptions(
  sql: Sql,
  channelId: number,
  aboveUserId: number,
  limit: number,
): Subscription[] {
  return sql
    .all<FoundSubscription>(
      `SELECT ${SUBSCRIPTION_AS_JSON} AS found FROM subscription JOIN user u ON u.id = user_id
       WHERE channel_id = ? AND user_id > ? AND subscription.is_active = 1 AND u.is_active = 1
       ORDER BY user_id LIMIT ?`,
      channelId,
      aboveUserId,
      limit,
    )
    .map(({ found }) => subscriptionOf(fromJson(found)))
}

/** Subscriptions of one user whose colours are read: in so many channels all colours of the palette are in use. */
const COLORS_READ_OF_ONE = 100

/** Returns colours of the users' channels, former ones included, by user id: those of at most `COLORS_READ_OF_ONE` channels for each. */
export function colorsUsedBy(sql: Sql, userIds: readonly number[]): Map<number, string[]> {
  // In one row, since there may be hundreds.
  const colors = sql.list<string | null>(
    `SELECT json_group_array((SELECT group_concat(DISTINCT color) FROM
         (SELECT color FROM subscription WHERE user_id = u.value LIMIT ?2))) AS colors
     FROM json_each(?1) u`,
    userIds,
    COLORS_READ_OF_ONE,
  )
  return new Map(colors.map((used, at) => [userIds[at]!, used?.split(',') ?? []]))
}

/** A period that begins. `pushes`: the setting `push_notifications` of a user who was never there; null for the user's own default. */
export type BegunSubscription = readonly [channelId: number, userId: number, color: string, pushes: 1 | null]

/** Begins periods. A user who comes back has the former settings. */
export function beginSubscriptions(
  sql: WritableSql,
  begun: readonly BegunSubscription[],
  position: Position,
): void {
  if (begun.length === 0) return
  const byChannel = Map.groupBy(begun, ([channelId]) => channelId)
  const userIds = new Set(begun.map(([, userId]) => userId))
  sql.changing('subscription', [...byChannel.keys(), ...[...userIds].map(nameOfAccount)], () =>
    sql.run(
      `INSERT INTO subscription (channel_id, user_id, is_active, since_event, since_message, color, push_notifications)
       SELECT value->>0, value->>1, 1, ?2, ?3, value->>2, value->>3 FROM json_each(?1) WHERE true
       ON CONFLICT (channel_id, user_id) DO UPDATE SET is_active = 1, since_event = ?2, since_message = ?3`,
      begun,
      position.event,
      position.message,
    ),
  )
  for (const [channelId, those] of byChannel) {
    addToSet(
      sql,
      `subscribers ${channelId}`,
      those.map(([, userId]) => userId),
    )
  }
}

/** Ends the present periods of subscribers; what was received in them stays received. */
export function endSubscriptions(
  sql: WritableSql,
  channels: readonly UsersOfChannel[],
  position: Position,
): void {
  if (channels.length === 0) return
  const pairs = inPairs(channels)
  // The plus keeps the index of users out of the search: the primary key has all.
  sql.run(
    `INSERT OR REPLACE INTO subscription_period
       (user_id, channel_id, since_event, until_event, since_message, until_message)
     SELECT user_id, channel_id, since_event, ?2, since_message, ?3
     FROM json_each(?1) CROSS JOIN subscription ON channel_id = value->>0 AND user_id = value->>1
     WHERE +is_active = 1`,
    pairs,
    position.event,
    position.message,
  )
  const channelIds = channels.map(({ channel }) => channel.id)
  const userIds = new Set(channels.flatMap(({ userIds }) => userIds))
  sql.changing('subscription', [...channelIds, ...[...userIds].map(nameOfAccount)], () =>
    sql.run(
      `UPDATE subscription SET is_active = 0
       WHERE (channel_id, user_id) IN (SELECT value->>0, value->>1 FROM json_each(?)) AND +is_active = 1`,
      pairs,
    ),
  )
  for (const { channel, userIds } of channels) removeFromSet(sql, `subscribers ${channel.id}`, userIds)
}

/** Gives a user the messages of the channels from this one on, as if received. */
export function backdateReceipts(
  sql: WritableSql,
  userId: number,
  channelIds: readonly number[],
  sinceMessage: number,
): void {
  sql.run(
    `UPDATE subscription SET since_message = ? WHERE user_id = ? AND channel_id IN (SELECT value FROM json_each(?))`,
    sinceMessage,
    userId,
    channelIds,
  )
}

const COLUMNS = {
  color: 'color',
  isMuted: 'is_muted',
  pinToTop: 'pin_to_top',
  desktopNotifications: 'desktop_notifications',
  audibleNotifications: 'audible_notifications',
  pushNotifications: 'push_notifications',
  emailNotifications: 'email_notifications',
  wildcardMentionsNotify: 'wildcard_mentions_notify',
} as const satisfies Partial<Record<keyof Subscription, string>>

export function changeSubscription(
  sql: WritableSql,
  { channelId, userId }: { channelId: number; userId: number },
  property: keyof typeof COLUMNS,
  value: string | boolean,
): void {
  const stored = typeof value === 'boolean' ? Number(value) : value
  const statement = `UPDATE subscription SET ${COLUMNS[property]} = ? WHERE channel_id = ? AND user_id = ?`
  sql.changing('subscription', [channelId, nameOfAccount(userId)], () =>
    sql.run(statement, stored, channelId, userId),
  )
}

/** A user's own settings for a channel; a colour of null stays as it is. */
export interface ChosenSettings {
  readonly userId: number
  readonly color: string | null
  readonly isMuted: boolean
  readonly isPinned: boolean
  /** Desktop, audible, push, mail, mentions of all: null is what it was. */
  readonly notifications: readonly (boolean | null)[]
}

/** Writes what many subscribers of a channel have chosen, in one statement. */
export function writeChosenSettings(
  sql: WritableSql,
  channelId: number,
  chosen: readonly ChosenSettings[],
): void {
  if (chosen.length === 0) return
  const rows = chosen.map(({ userId, color, isMuted, isPinned, notifications }) => [
    userId,
    color,
    Number(isMuted),
    Number(isPinned),
    ...notifications.map((one) => (one === null ? null : Number(one))),
  ])
  sql.changing('subscription', [channelId, ...chosen.map(({ userId }) => nameOfAccount(userId))], () =>
    sql.run(
      `UPDATE subscription SET color = ifnull(chosen.value->>1, color), is_muted = chosen.value->>2, pin_to_top = chosen.value->>3,
         desktop_notifications = ifnull(chosen.value->>4, desktop_notifications),
         audible_notifications = ifnull(chosen.value->>5, audible_notifications),
         push_notifications = ifnull(chosen.value->>6, push_notifications),
         email_notifications = ifnull(chosen.value->>7, email_notifications),
         wildcard_mentions_notify = ifnull(chosen.value->>8, wildcard_mentions_notify)
       FROM json_each(?2) AS chosen WHERE channel_id = ?1 AND user_id = chosen.value->>0`,
      channelId,
      rows,
    ),
  )
}

/** Start of a period of messages that has not begun: no message has a higher id. */
const NEVER = Number.MAX_SAFE_INTEGER

/**
 * Pauses the subscriptions of a closed account. They continue, so that moves between channels meanwhile count
 * as for everybody else; but no message is received until the account is reopened.
 */
export function pauseSubscriptions(sql: WritableSql, userId: number, position: Position): void {
  sql.run(
    `INSERT OR REPLACE INTO subscription_period
       (user_id, channel_id, since_event, until_event, since_message, until_message)
     SELECT user_id, channel_id, since_event, ?2, since_message, ?3 FROM subscription
     WHERE user_id = ?1 AND is_active = 1`,
    userId,
    position.event,
    position.message,
  )
  sql.run(
    `UPDATE subscription SET since_event = ?, since_message = ? WHERE user_id = ? AND is_active = 1`,
    position.event,
    NEVER,
    userId,
  )
}

export function resumeSubscriptions(sql: WritableSql, userId: number, { message }: Position): void {
  sql.run(`UPDATE subscription SET since_message = ? WHERE user_id = ? AND is_active = 1`, message, userId)
}
