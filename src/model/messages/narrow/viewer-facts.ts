import type { RealmView } from '../../../core/realm-transaction.ts'
import { once } from '../../../core/remember.ts'
import { conversationIdsOfUser } from '../../../store/messages/conversation-rows.ts'
import { ReadSet } from '../../../store/messages/flags/read-rows.ts'
import { mutedChannelIds } from '../../../store/subscriptions/subscription-rows.ts'
import {
  TOPIC_POLICY,
  type TopicPolicy,
  topicsWithPolicy,
} from '../../../store/user-topics/user-topic-rows.ts'
import { topicAttention } from '../../user-topics/topic-attention.ts'
import type { Viewer } from '../read/message-access.ts'

/** Number of topics up to which they are read one by one. */
export const MAX_TOPICS = 2_000

export type ViewerFacts = ReturnType<typeof viewerFacts>

/** Returns facts about the viewer for the terms of a narrow, each read once, when it is first needed. */
export function viewerFacts({ sql }: Pick<RealmView, 'sql'>, { user }: Viewer) {
  /** Returns at most one more than MAX_TOPICS. */
  const topicsWith = (policies: readonly TopicPolicy[]) =>
    topicsWithPolicy(sql, user.id, policies, MAX_TOPICS + 1)
  const own = once(() => new Set(conversationIdsOfUser(sql, user.id)))
  return {
    attention: once(() => topicAttention(sql, user.id)),
    muting: once(() => ({
      mutedChannels: mutedChannelIds(sql, user.id),
      mutedTopics: () => topicsWith([TOPIC_POLICY.muted]),
      /** Topics that are wanted although their channel is muted, including followed ones. */
      unmutedTopics: () => topicsWith([TOPIC_POLICY.unmuted, TOPIC_POLICY.followed]),
    })),
    /** Returns the ids of the viewer's conversations in which a user takes part. */
    conversationsWith: (userId: number) => conversationIdsOfUser(sql, userId).filter((id) => own().has(id)),
    readSet: once(() => new ReadSet(sql, user).loadAll()),
    topicsWith,
  }
}
