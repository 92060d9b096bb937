import type { Sql } from '../../core/sql.ts'
import { findChannel } from '../channels/channel-rows.ts'
import { listUserTopics, TOPIC_POLICY } from './user-topic-rows.ts'

/** The objects of `user_topics` (core-endpoints 1). `shown` gives a topic as the client knows it. */
export function presentUserTopics(sql: Sql, userId: number, shown: (topic: string) => string) {
  return listUserTopics(sql, userId).map(({ channelId, name, updatedAt, policy }) => ({
    stream_id: channelId,
    topic_name: shown(name),
    last_updated: updatedAt,
    visibility_policy: policy,
  }))
}

/** Muted topics in the older form: channel name, topic, time in UNIX seconds. Archived channels are left out. */
export function mutedTopics(sql: Sql, userId: number): [string, string, number][] {
  return listUserTopics(sql, userId)
    .filter(({ policy }) => policy === TOPIC_POLICY.muted)
    .flatMap(({ channelId, name, updatedAt }): [string, string, number][] => {
      const channel = findChannel(sql, channelId)
      return channel && !channel.isArchived ? [[channel.name, name, updatedAt]] : []
    })
}
