import { EMPTY_TOPIC_DISPLAY_NAME } from '../../permissions/topic-rules.ts'
import { mutedTopics, presentUserTopics } from '../user-topics/present-user-topics.ts'
import type { Snapshot, SnapshotOptions } from './snapshot.ts'

/** Key of `user_topic`: every topic the caller has set something for. */
export const userTopicSnapshot: Snapshot = (tx, { user }, options) => ({
  user_topics: presentUserTopics(tx.sql, user.id, shownBy(options)),
})

/** Key of `muted_topics`: the older form, for clients that do not name the newer event (docs/interface/register.md#what-the-snapshot-has). */
export const mutedTopicsSnapshot: Snapshot = (tx, { user }, options) => {
  if (options.eventTypes?.includes('user_topic')) return {}
  const shown = shownBy(options)
  return {
    muted_topics: mutedTopics(tx, user).map(([channel, topic, at]) => [channel, shown(topic), at]),
  }
}

function shownBy({ capabilities }: SnapshotOptions): (topic: string) => string {
  return (topic) => (topic === '' && !capabilities.has('empty_topic_name') ? EMPTY_TOPIC_DISPLAY_NAME : topic)
}
