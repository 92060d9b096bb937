import { fromJson, type JsonText } from '../../core/json.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'
import { addToSet, removeFromSet } from '../id-set-rows.ts'
import { nameOfAccount } from '../users/user-subjects.ts'
import {
  SUBSCRIPTION_AS_JSON,
  type Subscription,
  type SubscriptionRow,
  type SubscriptionValues,
  subscriptionOf,
  subscriptionOfValues,
} from './subscription-of-row.ts'

export type { Subscription } from './subscription-of-row.ts'

/** The newest ids of the log and of the messages, at which a period begins or ends. */
export interface Position {
  readonly event: number
  readonly message: number
}

export function findSubscription(sql: Sql, channelId: number, userId: number): Subscription | undefined {
  return sql.kept(`subscription of ${userId} in ${channelId}`, () => {
    const row = sql.about('subscription', channelId, () =>
      sql.first<SubscriptionRow>(
        `SELECT * FROM subscription WHERE channel_id = ? AND user_id = ?`,
        channelId,
        userId,
      ),
    )
    return row && subscriptionOf(row)
  })
}

/** Returns the channels that the user is subscribed to and has muted. */
export function mutedChannelIds(sql: Sql, userId: number): ReadonlySet<number> {
  return sql.kept(`muted channels of ${userId}`, () => {
    const { ids } = sql.first<{ ids: JsonText<number[]> }>(
      `SELECT json_group_array(channel_id) AS ids FROM subscription
       WHERE user_id = ? AND is_active = 1 AND is_muted = 1`,
      userId,
    )!
    return new Set(fromJson(ids))
  })
}

/** Returns present active subscribers whose personal setting has this value, which is not what it is for everybody. */
export function subscriberIdsWithSetting(
  sql: Sql,
  channelId: number,
  setting: string,
  value: string,
): number[] {
  return idsOf(
    sql.first<IdList>(
      `SELECT json_group_array(s.user_id) AS ids FROM subscription s JOIN user u ON u.id = s.user_id
       WHERE s.channel_id = ?1 AND s.is_active = 1 AND u.is_active = 1
         AND instr(u.settings, ?2) > 0 AND json_extract(u.settings, '$.' || ?2) = ?3`,
      channelId,
      setting,
      value,
    )!,
  )
}

/** Returns the present subscribers with open accounts among these users, without those whose setting has this value. */
export function subscribersWithoutSetting(
  sql: Sql,
  channelId: number,
  userIds: readonly number[],
  setting: string,
  value: string,
): number[] {
  return idsOf(
    sql.first<IdList>(
      `SELECT json_group_array(s.user_id) AS ids
       FROM json_each(?2) j CROSS JOIN subscription s ON s.channel_id = ?1 AND s.user_id = j.value
       CROSS JOIN user u ON u.id = s.user_id
       WHERE s.is_active = 1 AND u.is_active = 1
         AND (instr(u.settings, ?3) = 0 OR json_extract(u.settings, '$.' || ?3) <> ?4)`,
      channelId,
      JSON.stringify(userIds),
      setting,
      value,
    )!,
  )
}

/** Ids in one row, since there may be ten thousand. */
interface IdList {
  readonly ids: JsonText<number[]>
}

function idsOf({ ids }: IdList): number[] {
  return fromJson(ids)
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
    .all<SubscriptionRow & { ids: JsonText<number[]>; settings: JsonText<Record<string, unknown>> }>(
      `SELECT s.*, u.settings, json_group_array(s.user_id) AS ids
       FROM subscription s JOIN user u ON u.id = s.user_id
       WHERE s.channel_id = ? AND s.is_active = 1 AND u.is_active = 1
       GROUP BY u.settings, s.color, s.is_muted, s.pin_to_top, s.desktop_notifications, s.audible_notifications,
         s.push_notifications, s.email_notifications, s.wildcard_mentions_notify`,
      channelId,
    )
    .map((row) => ({
      userIds: fromJson(row.ids),
      subscription: subscriptionOf(row),
      settings: fromJson(row.settings),
    }))
}

/** Number of users up to which the subscription of each is looked up, and kept. */
const FEW_USERS = 8

/** Returns the subscriptions of those of the users who are or were subscribed, by user id. */
export function subscriptionsAmong(
  sql: Sql,
  channelId: number,
  userIds: readonly number[],
): Map<number, Subscription> {
  if (userIds.length <= FEW_USERS) {
    const found = userIds
      .toSorted((a, b) => a - b)
      .flatMap((userId) => findSubscription(sql, channelId, userId) ?? [])
    return new Map(found.map((subscription) => [subscription.userId, subscription]))
  }
  const { found } = sql.about('subscription', channelId, () =>
    sql.first<{ found: JsonText<SubscriptionValues[]> }>(
      `SELECT json_group_array(${SUBSCRIPTION_AS_JSON}) AS found FROM subscription
       WHERE channel_id = ? AND user_id IN (SELECT value FROM json_each(?))`,
      channelId,
      JSON.stringify(userIds),
    ),
  )!
  return new Map(fromJson(found).map((values) => [values[1], subscriptionOfValues(values)]))
}

/** Users of a channel. */
interface UsersOfChannel {
  readonly channel: { readonly id: number }
  readonly userIds: readonly number[]
}

/** Returns what `subscriptionsAmong` does for several channels, in their order. */
export function subscriptionsInEach(
  sql: Sql,
  channels: readonly UsersOfChannel[],
): Map<number, Subscription>[] {
  const count = channels.reduce((sum, { userIds }) => sum + userIds.length, 0)
  if (channels.length === 1 || count <= FEW_USERS) {
    return channels.map(({ channel, userIds }) => subscriptionsAmong(sql, channel.id, userIds))
  }
  const { found } = sql.first<{ found: JsonText<SubscriptionValues[]> }>(
    `SELECT json_group_array(${SUBSCRIPTION_AS_JSON}) AS found
     FROM json_each(?) CROSS JOIN subscription ON channel_id = value->>0 AND user_id = value->>1`,
    inPairs(channels),
  )!
  const byChannel = Map.groupBy(fromJson(found), ([channelId]) => channelId)
  return channels.map(
    ({ channel }) =>
      new Map(byChannel.get(channel.id)?.map((values) => [values[1], subscriptionOfValues(values)])),
  )
}

/** Returns channels and users as JSON: `[[channel, user], …]`. */
function inPairs(channels: readonly UsersOfChannel[]): string {
  return JSON.stringify(channels.flatMap(({ channel, userIds }) => userIds.map((id) => [channel.id, id])))
}

/**
 * Returns the next present subscribers whose account is active, ascending by user: the first `limit` above an
 * id.
 */
export function nextSubscriptions(
  sql: Sql,
  channelId: number,
  aboveUserId: number,
  limit: number,
): Subscription[] {
  return sql
    .all<SubscriptionRow>(
      `SELECT s.* FROM subscription s JOIN user u ON u.id = s.user_id
       WHERE s.channel_id = ? AND s.user_id > ? AND s.is_active = 1 AND u.is_active = 1
       ORDER BY s.user_id LIMIT ?`,
      channelId,
      aboveUserId,
      limit,
    )
    .map(subscriptionOf)
}

/** Subscriptions of one user whose colours are read: in so many channels all colours of the palette are in use. */
const COLORS_READ_OF_ONE = 100

/**
 * Returns colours of the users' channels, former ones included, by user id. Of somebody in hundreds of channels those of
 * `COLORS_READ_OF_ONE`.
 */
export function colorsUsedBy(sql: Sql, userIds: readonly number[]): Map<number, string[]> {
  // In one row, since there may be hundreds.
  const { colors } = sql.first<{ colors: JsonText<(string | null)[]> }>(
    `SELECT json_group_array((SELECT group_concat(DISTINCT color) FROM
         (SELECT color FROM subscription WHERE user_id = u.value LIMIT ?2))) AS colors
     FROM json_each(?1) u`,
    JSON.stringify(userIds),
    COLORS_READ_OF_ONE,
  )!
  return new Map(fromJson(colors).map((used, at) => [userIds[at]!, used?.split(',') ?? []]))
}

/** Users whose subscriptions are counted together. */
const COUNTED_AT_ONCE = 50

/** Returns how many of the users, from the first on, have subscriptions whose colours are at most `rows` rows to read; at least one. */
export function usersWithFewColors(sql: Sql, userIds: readonly number[], rows: number): number {
  if (userIds.length <= 1) return userIds.length
  let left = rows
  for (let at = 0; at < userIds.length; at += COUNTED_AT_ONCE) {
    const part = userIds.slice(at, at + COUNTED_AT_ONCE)
    const { counts } = sql.first<{ counts: JsonText<number[]> }>(
      `SELECT json_group_array((SELECT count(*) FROM
           (SELECT 1 FROM subscription WHERE user_id = u.value LIMIT ?2))) AS counts
       FROM json_each(?1) u`,
      JSON.stringify(part),
      COLORS_READ_OF_ONE,
    )!
    for (const [index, count] of fromJson(counts).entries()) {
      left -= count
      if (left < 0) return Math.max(at + index, 1)
    }
  }
  return userIds.length
}

/** A period that begins. `pushes`: the setting `push_notifications` of somebody who was never there; null for the user's own default. */
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
      JSON.stringify(begun),
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
    JSON.stringify(channelIds),
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
