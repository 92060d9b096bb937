import type { RealmView } from '../../../core/realm-transaction.ts'
import { listSubscriptionsOfUser } from '../../subscriptions/subscription-rows.ts'
import { type TopicAttention, topicAttention } from '../../user-topics/topic-attention.ts'
import { TOPIC_POLICY, type TopicPolicy, topicIdsWithPolicy } from '../../user-topics/user-topic-rows.ts'
import { type Conversation, listConversationsOfUser } from '../conversation-rows.ts'
import { ReadSet } from '../flags/read-rows.ts'
import type { Viewer } from '../read/message-access.ts'
import { topicsById } from '../topic-rows.ts'

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
  conversations(): readonly Conversation[]
  readSet(): ReadSet
  topicsWith(policies: readonly TopicPolicy[]): readonly TopicPair[]
}

export function viewerFacts({ sql }: Pick<RealmView, 'sql'>, { user }: Viewer): ViewerFacts {
  const topicsWith = (policies: readonly TopicPolicy[]) =>
    [...topicsById(sql, topicIdsWithPolicy(sql, user.id, policies)).values()].map(
      ({ id, channelId }): TopicPair => [channelId, id],
    )
  return {
    attention: once(() => topicAttention(sql, user.id)),
    muting: once(() => ({
      mutedChannels: new Set(
        listSubscriptionsOfUser(sql, user.id)
          .filter(({ isActive, isMuted }) => isActive && isMuted)
          .map(({ channelId }) => channelId),
      ),
      mutedTopics: () => topicsWith([TOPIC_POLICY.muted]),
      unmutedTopics: () => topicsWith([TOPIC_POLICY.unmuted, TOPIC_POLICY.followed]),
    })),
    conversations: once(() => listConversationsOfUser(sql, user.id)),
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
