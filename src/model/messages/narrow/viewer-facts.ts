import type { RealmView } from '../../../core/realm-transaction.ts'
import { conversationIdsOfUser } from '../../../store/messages/conversation-rows.ts'
import { ReadSet } from '../../../store/messages/flags/read-rows.ts'
import { mutedChannelIds } from '../../../store/subscriptions/subscription-rows.ts'
import {
  TOPIC_POLICY,
  type TopicPolicy,
  topicsWithPolicy,
} from '../../../store/user-topics/user-topic-rows.ts'
import { type TopicAttention, topicAttention } from '../../user-topics/topic-attention.ts'
import type { Viewer } from '../read/message-access.ts'

/** Number of topics up to which they are walked through one by one. */
export const MAX_TOPICS = 2_000

type TopicPair = readonly [channelId: number, topicId: number]

/** The channels that a viewer has muted, and the topics muted separately. */
interface Muting {
  readonly mutedChannels: ReadonlySet<number>
  mutedTopics(): readonly TopicPair[]
  /** Topics that are wanted although their channel is muted, including followed ones. */
  unmutedTopics(): readonly TopicPair[]
}

/** Facts about the viewer for terms: read when a term first needs them, and once for all of them. */
export interface ViewerFacts {
  attention(): TopicAttention
  muting(): Muting
  /** Returns the ids of the viewer's conversations in which a user takes part. */
  conversationsWith(userId: number): readonly number[]
  readSet(): ReadSet
  /** Returns no more than one more than MAX_TOPICS. */
  topicsWith(policies: readonly TopicPolicy[]): readonly TopicPair[]
}

export function viewerFacts({ sql }: Pick<RealmView, 'sql'>, { user }: Viewer): ViewerFacts {
  const topicsWith = (policies: readonly TopicPolicy[]) =>
    topicsWithPolicy(sql, user.id, policies, MAX_TOPICS + 1)
  const own = once(() => new Set(conversationIdsOfUser(sql, user.id)))
  return {
    attention: once(() => topicAttention(sql, user.id)),
    muting: once(() => ({
      mutedChannels: mutedChannelIds(sql, user.id),
      mutedTopics: () => topicsWith([TOPIC_POLICY.muted]),
      unmutedTopics: () => topicsWith([TOPIC_POLICY.unmuted, TOPIC_POLICY.followed]),
    })),
    conversationsWith: (userId) => conversationIdsOfUser(sql, userId).filter((id) => own().has(id)),
    readSet: once(() => new ReadSet(sql, user).loadAll()),
    topicsWith,
  }
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
