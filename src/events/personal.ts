import * as v from 'valibot'
import { defineEventType, type StoredOf, topicFor } from './event-type.ts'

/** The event with all of the user's alert words, after some were added or removed. Source: docs/interface/events.md#events; docs/interface/events.md#events-about-people. */
export const alertWordsEvent = defineEventType('alert_words', [{ alert_words: v.array(v.string()) }])

export const mutedUserSchema = v.strictObject({ id: v.number(), timestamp: v.number() })

/** Everybody whom the user has muted, with the time in UNIX seconds. Source: docs/interface/events.md#events-about-people. */
export const mutedUsersEvent = defineEventType('muted_users', [{ muted_users: v.array(mutedUserSchema) }])

export const navigationViewSchema = v.strictObject({
  fragment: v.string(),
  is_pinned: v.boolean(),
  name: v.nullable(v.string()),
})

/** A view in the user's sidebar was added, changed or removed. Source: docs/interface/events.md#events-about-what-is-ones-own. */
export const navigationViewEvent = defineEventType('navigation_view', [
  { op: v.literal('add'), navigation_view: navigationViewSchema },
  {
    op: v.literal('update'),
    fragment: v.string(),
    data: v.strictObject({ is_pinned: v.optional(v.boolean()), name: v.optional(v.string()) }),
  },
  { op: v.literal('remove'), fragment: v.string() },
])
export type StoredNavigationViewEvent = StoredOf<typeof navigationViewEvent>

export const onboardingStepSchema = v.strictObject({ type: v.literal('one_time_notice'), name: v.string() })

/** The event with all hints that the user has not seen yet. Source: docs/interface/events.md#events-about-people. */
export const onboardingStepsEvent = defineEventType('onboarding_steps', [
  { onboarding_steps: v.array(onboardingStepSchema) },
])

/** The event that the user is logged in at Zoom from here, or not any more. Source: docs/interface/events.md#events-about-people. */
export const hasZoomTokenEvent = defineEventType('has_zoom_token', [{ value: v.boolean() }])

export const userTopicEntries = {
  stream_id: v.number(),
  topic_name: v.string(),
  /** UNIX seconds. */
  last_updated: v.number(),
  visibility_policy: v.picklist([1, 2, 3]),
}

/**
 * The user has changed the policy of a topic; 0 resets it. Source:
 * docs/interface/events.md#events-about-people; docs/interface/subscriptions.md#topics.
 */
export const userTopicEvent = defineEventType(
  'user_topic',
  [{ ...userTopicEntries, visibility_policy: v.picklist([0, 1, 2, 3]) }],
  (stored, context) => [{ ...stored, topic_name: topicFor(context, stored.topic_name) }],
)
export type StoredUserTopicEvent = StoredOf<typeof userTopicEvent>

/** The channel's name, the topic, and the time of muting in UNIX seconds. */
export const mutedTopicSchema = v.tuple([v.string(), v.string(), v.number()])

/**
 * All topics that the user has muted: an older form of `user_topic`. Clients that name that one do not get it
 * (docs/decisions/interface.md#queues-and-events). Source: docs/interface/events.md#events-about-people;
 * docs/interface/subscriptions.md#topics.
 */
export const mutedTopicsEvent = defineEventType(
  'muted_topics',
  [{ muted_topics: v.array(mutedTopicSchema) }],
  ({ type, muted_topics }, context) => [
    {
      type,
      muted_topics: muted_topics.map(([channel, topic, at]) => [channel, topicFor(context, topic), at]),
    },
  ],
)
export type StoredMutedTopicsEvent = StoredOf<typeof mutedTopicsEvent>
