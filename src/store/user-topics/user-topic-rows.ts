import type { Sql, WritableSql } from '../../core/sql.ts'
import { topicKey } from '../messages/topic-rows.ts'
import { Rows } from '../select-rows.ts'

/** Policies for the visibility of a topic. Source: docs/interface/subscriptions.md#topics. */
export const TOPIC_POLICY = { none: 0, muted: 1, unmuted: 2, followed: 3 } as const
export type TopicPolicy = (typeof TOPIC_POLICY)[keyof typeof TOPIC_POLICY]

/** A topic with a user's policy, which is never `none`, since that has no row. */
export interface UserTopic {
  readonly userId: number
  readonly channelId: number
  /** The name in the user's spelling; topics match without regard to case. */
  readonly name: string
  readonly policy: TopicPolicy
  /** UNIX seconds. */
  readonly updatedAt: number
}

const TOPICS = new Rows<UserTopic>('user_topic', 'user_id channel_id name policy updated_at')

/** Returns a policy. The topic need not exist, or have messages. */
export function topicPolicy(sql: Sql, userId: number, channelId: number, topic: string): TopicPolicy {
  const key = topicKey(topic)
  return sql.kept(`policy ${userId} ${channelId} ${key}`, () => {
    const query = `SELECT policy FROM user_topic WHERE user_id = ? AND channel_id = ? AND name_key = ?`
    return sql.value<TopicPolicy>(query, userId, channelId, key) ?? TOPIC_POLICY.none
  })
}

/** Lists a user's topics with a policy, by channel, then by name. */
export function listUserTopics(sql: Sql, userId: number): readonly UserTopic[] {
  return sql.kept(`policies of ${userId}`, () =>
    TOPICS.list(sql, `WHERE user_id = ? ORDER BY channel_id, name_key`, userId),
  )
}

/** A user's policies by channel, and there by `topicKey`. */
type PoliciesByTopic = ReadonlyMap<number, ReadonlyMap<string, TopicPolicy>>

/** Returns a user's policies for callers who ask about many topics. */
export function policiesByTopic(sql: Sql, userId: number): PoliciesByTopic {
  return sql.kept(`policies by topic of ${userId}`, () => {
    const value = new Map<number, Map<string, TopicPolicy>>()
    const rows = sql.all<{ channelId: number; key: string; policy: TopicPolicy }>(
      `SELECT channel_id AS channelId, name_key AS key, policy FROM user_topic WHERE user_id = ?`,
      userId,
    )
    for (const { channelId, key, policy } of rows) {
      const known = value.get(channelId)
      if (known) known.set(key, policy)
      else value.set(channelId, new Map([[key, policy]]))
    }
    return value
  })
}

/** Returns those who follow a topic, ascending: as one value, since there may be thousands. */
export function followersOf(sql: Sql, channelId: number, topic: string): readonly number[] {
  const key = topicKey(topic)
  return sql.kept(`followers ${channelId} ${key}`, () => {
    return sql
      .list(
        `SELECT json_group_array(user_id) AS ids FROM user_topic
         WHERE channel_id = ? AND name_key = ? AND policy = ?`,
        channelId,
        key,
        TOPIC_POLICY.followed,
      )
      .sort((a, b) => a - b)
  })
}

/** Number of users whose policies are read one by one, since these are kept. */
const FEW = 8

/** Returns the policies of these users for a topic; one who has none may be missing. */
export function policiesAmong(
  sql: Sql,
  channelId: number,
  topic: string,
  userIds: readonly number[],
): Map<number, TopicPolicy> {
  if (userIds.length <= FEW) {
    return new Map(userIds.map((id) => [id, topicPolicy(sql, id, channelId, topic)]))
  }
  const rows = sql.all<{ user_id: number; policy: TopicPolicy }>(
    `SELECT user_id, policy FROM user_topic
     WHERE user_id IN (SELECT value FROM json_each(?)) AND channel_id = ? AND name_key = ?`,
    userIds,
    channelId,
    topicKey(topic),
  )
  return new Map(rows.map(({ user_id, policy }) => [user_id, policy]))
}

/** Lists the policies for this topic of the next `limit` users above an id who have one, ascending. */
export function nextTopicSettings(
  sql: Sql,
  channelId: number,
  topic: string,
  aboveUserId: number,
  limit: number,
): UserTopic[] {
  return TOPICS.list(
    sql,
    `WHERE channel_id = ? AND name_key = ? AND user_id > ?
       ORDER BY user_id LIMIT ?`,
    channelId,
    topicKey(topic),
    aboveUserId,
    limit,
  )
}

/** Returns topics with messages for which the user has one of these policies, `limit` of them at most. */
export function topicsWithPolicy(
  sql: Sql,
  userId: number,
  policies: readonly TopicPolicy[],
  limit: number,
): [channelId: number, topicId: number][] {
  // In one row, since there may be thousands.
  return sql.list<[number, number]>(
    `SELECT json_group_array(json_array(channel_id, id)) AS topics FROM (
       SELECT t.channel_id, t.id FROM user_topic u JOIN topic t ON t.channel_id = u.channel_id AND t.name_key = u.name_key
       WHERE u.user_id = ? AND u.policy IN (SELECT value FROM json_each(?)) LIMIT ?
     )`,
    userId,
    policies,
    limit,
  )
}

/** Writes the row, or deletes it for `none`. */
export function putUserTopic(sql: WritableSql, topic: UserTopic): void {
  if (topic.policy === TOPIC_POLICY.none) {
    sql.run(
      `DELETE FROM user_topic WHERE user_id = ? AND channel_id = ? AND name_key = ?`,
      topic.userId,
      topic.channelId,
      topicKey(topic.name),
    )
    return
  }
  sql.run(
    `INSERT INTO user_topic (user_id, channel_id, name_key, name, policy, updated_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6)
     ON CONFLICT (user_id, channel_id, name_key) DO UPDATE SET name = ?4, policy = ?5, updated_at = ?6`,
    topic.userId,
    topic.channelId,
    topicKey(topic.name),
    topic.name,
    topic.policy,
    Math.floor(topic.updatedAt),
  )
}

/** Writes that these users follow the topic, whatever they had set for it. */
export function followTopicForUsers(
  sql: WritableSql,
  topic: { readonly channelId: number; readonly topic: string; readonly updatedAt: number },
  userIds: readonly number[],
): void {
  // Without WHERE, SQLite would take ON for a part of the join.
  sql.run(
    `INSERT INTO user_topic (user_id, channel_id, name_key, name, policy, updated_at)
     SELECT value, ?2, ?3, ?4, ?5, ?6 FROM json_each(?1) WHERE true
     ON CONFLICT (user_id, channel_id, name_key) DO UPDATE SET name = ?4, policy = ?5, updated_at = ?6`,
    userIds,
    topic.channelId,
    topicKey(topic.topic),
    topic.topic,
    TOPIC_POLICY.followed,
    Math.floor(topic.updatedAt),
  )
}

/** Returns those of the users who have muted any topic. */
export function usersWhoMute(sql: Sql, userIds: readonly number[]): number[] {
  return sql.list(
    `SELECT json_group_array(u.value) AS ids FROM json_each(?) u
     WHERE EXISTS (SELECT 1 FROM user_topic WHERE user_id = u.value AND policy = ?)`,
    userIds,
    TOPIC_POLICY.muted,
  )
}

/** Gives a topic another name, or another channel too, for users with a policy for it who have none for the new name. */
export function renameTopicOfUsers(
  sql: WritableSql,
  from: { readonly channelId: number; readonly topic: string },
  to: { readonly channelId: number; readonly topic: string; readonly updatedAt: number },
  userIds: readonly number[],
): void {
  sql.run(
    `UPDATE user_topic SET channel_id = ?, name_key = ?, name = ?, updated_at = ?
     WHERE channel_id = ? AND name_key = ? AND user_id IN (SELECT value FROM json_each(?))`,
    to.channelId,
    topicKey(to.topic),
    to.topic,
    Math.floor(to.updatedAt),
    from.channelId,
    topicKey(from.topic),
    userIds,
  )
}
