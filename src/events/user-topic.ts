import * as v from 'valibot'
import type { LogEvent } from '../core/realm-transaction.ts'
import { defineEventType, topicFor } from './event-type.ts'

/**
 * The user has changed the policy of a topic; 0 resets it. Source:
 * docs/interface/events.md#events-about-people; docs/interface/subscriptions.md#topics.
 */
export interface StoredUserTopicEvent extends LogEvent {
  readonly type: 'user_topic'
  readonly stream_id: number
  readonly topic_name: string
  /** UNIX seconds. */
  readonly last_updated: number
  readonly visibility_policy: number
}

export const userTopicEntries = {
  stream_id: v.number(),
  topic_name: v.string(),
  last_updated: v.number(),
  visibility_policy: v.picklist([1, 2, 3]),
}

declare module '../core/realm-transaction.ts' {
  interface StoredEvents {
    user_topic: StoredUserTopicEvent
  }
}

export const userTopicEvent = defineEventType<StoredUserTopicEvent>({
  type: 'user_topic',
  schema: v.strictObject({
    id: v.number(),
    type: v.literal('user_topic'),
    ...userTopicEntries,
    visibility_policy: v.picklist([0, 1, 2, 3]),
  }),
  deliver: (stored, context) => [{ ...stored, topic_name: topicFor(context, stored.topic_name) }],
})

/**
 * All topics that the user has muted: channel name, topic, time in UNIX seconds. An older form of
 * `user_topic`; clients that name that one do not get it (docs/decisions/interface.md#queues-and-events).
 * Source: docs/interface/events.md#events-about-people; docs/interface/subscriptions.md#topics.
 */
export interface StoredMutedTopicsEvent extends LogEvent {
  readonly type: 'muted_topics'
  readonly muted_topics: readonly (readonly [string, string, number])[]
}

/** The channel's name, the topic, and the time of muting. */
export const mutedTopicSchema = v.tuple([v.string(), v.string(), v.number()])

declare module '../core/realm-transaction.ts' {
  interface StoredEvents {
    muted_topics: StoredMutedTopicsEvent
  }
}

export const mutedTopicsEvent = defineEventType<StoredMutedTopicsEvent>({
  type: 'muted_topics',
  schema: v.strictObject({
    id: v.number(),
    type: v.literal('muted_topics'),
    muted_topics: v.array(mutedTopicSchema),
  }),
  deliver: (stored, context) => [
    {
      type: 'muted_topics',
      muted_topics: stored.muted_topics.map(([channel, topic, at]) => [
        channel,
        topicFor(context, topic),
        at,
      ]),
    },
  ],
})
