import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { hasQueueForMutedTopics } from '../../events/queue.ts'
import { topicKey } from '../messages/topic-rows.ts'
import { emitPolicy, setPolicy } from './set-policy.ts'
import {
  listTopicSettings,
  renameTopicOfUsers,
  TOPIC_POLICY,
  type TopicPolicy,
  type UserTopic,
} from './user-topic-rows.ts'

export interface TopicKey {
  readonly channelId: number
  readonly topic: string
}

/** Rank of each policy by how visible it makes a topic. */
const VISIBILITY: Record<TopicPolicy, number> = {
  [TOPIC_POLICY.muted]: 0,
  [TOPIC_POLICY.none]: 1,
  [TOPIC_POLICY.unmuted]: 2,
  [TOPIC_POLICY.followed]: 3,
}

/**
 * Moves users' policies with a whole topic. In a topic that has messages already, the more visible policy
 * counts; otherwise the old topic's policy replaces one for the new name. Users who cannot see the target
 * lose their policy; and users who see nothing of the old topic, having set a policy for its name alone, do
 * not learn where it went. Source: docs/interface/messages.md#what-moves.
 */
export function migratePolicies(
  tx: RealmTransaction,
  from: TopicKey,
  to: TopicKey,
  facts: {
    readonly targetHasMessages: boolean
    sawTopic(userId: number): boolean
    losesAccess(userId: number): boolean
  },
): void {
  if (from.channelId === to.channelId && topicKey(from.topic) === topicKey(to.topic)) return
  const before = policiesOf(tx, from)
  const there = policiesOf(tx, to)
  const alike: UserTopic[] = []
  for (const userId of [...new Set([...before.keys(), ...there.keys()])].sort((a, b) => a - b)) {
    const setting = before.get(userId)
    const { policy: old, name: topic } = setting ?? { policy: TOPIC_POLICY.none, name: from.topic }
    const present = there.get(userId)?.policy ?? TOPIC_POLICY.none
    if (setting && !facts.sawTopic(userId)) continue
    const isLost = facts.losesAccess(userId)
    const policy = facts.targetHasMessages ? mostVisible(old, present) : old
    const isPlain = !isLost && !there.has(userId) && policy === old
    // The older form of the event names all of a user's topics, after each change.
    if (setting && isPlain && !hasQueueForMutedTopics(tx.sql, userId)) {
      alike.push(setting)
      continue
    }
    // In this user's spelling: the other may be that of a message that they cannot read.
    setPolicy(tx, { userId, channelId: from.channelId, topic, policy: TOPIC_POLICY.none })
    if (!isLost) setPolicy(tx, { userId, ...to, policy })
  }
  movePoliciesOf(tx, alike, from, to)
}

/**
 * Moves the policies of users who have none for the new name, together: two rows for each, and one event for all
 * with the same spelling of the old name, or the same policy.
 */
function movePoliciesOf(
  tx: RealmTransaction,
  settings: readonly UserTopic[],
  from: TopicKey,
  to: TopicKey,
): void {
  if (settings.length === 0) return
  renameTopicOfUsers(tx.sql, from, { ...to, updatedAt: tx.now }, idsOf(settings))
  for (const [topic, users] of Map.groupBy(settings, ({ name }) => name)) {
    emitPolicy(tx, { channelId: from.channelId, topic, policy: TOPIC_POLICY.none }, idsOf(users))
  }
  for (const [policy, users] of Map.groupBy(settings, (setting) => setting.policy)) {
    emitPolicy(tx, { ...to, policy }, idsOf(users))
  }
}

function idsOf(settings: readonly UserTopic[]): number[] {
  return settings.map(({ userId }) => userId)
}

function policiesOf(tx: RealmReads, { channelId, topic }: TopicKey): Map<number, UserTopic> {
  return new Map(listTopicSettings(tx.sql, channelId, topic).map((setting) => [setting.userId, setting]))
}

function mostVisible(a: TopicPolicy, b: TopicPolicy): TopicPolicy {
  return VISIBILITY[a] >= VISIBILITY[b] ? a : b
}
