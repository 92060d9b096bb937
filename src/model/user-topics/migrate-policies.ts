import { CHANGES_OF_COMMIT } from '../../core/budgets.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { hasQueueForMutedTopics } from '../../events/queue.ts'
import { topicKey } from '../../store/messages/topic-rows.ts'
import {
  nextTopicSettings,
  renameTopicOfUsers,
  TOPIC_POLICY,
  type TopicPolicy,
  type UserTopic,
} from '../../store/user-topics/user-topic-rows.ts'
import { emitPolicy, setPolicy, type TopicKey } from './set-policy.ts'

/** A topic that was moved, or no longer exists. */
export interface EmptiedTopic {
  readonly from: TopicKey
  /** Undefined: the messages were deleted. */
  readonly to?: TopicKey
  readonly targetHadMessages: boolean
  /** The newest of the moved or deleted messages. */
  readonly newestMessageId: number
}

/** The access of users to a topic that is gone. */
export interface PolicyFacts {
  /** Whether the user had something to read in it. */
  sawTopic(userId: number): boolean
  keepsPolicy(userId: number): boolean
  /** Whether the user cannot read in the new topic. */
  losesAccess(userId: number): boolean
}

/** The rest of a migration. */
export interface OpenMigration extends EmptiedTopic {
  /** UNIX seconds. Policies that users have set since then stay. */
  readonly at: number
  /** Users up to this one are done. */
  readonly after: number
}

/** Rank of each policy by how visible it makes a topic. */
const VISIBILITY: Record<TopicPolicy, number> = {
  [TOPIC_POLICY.muted]: 0,
  [TOPIC_POLICY.none]: 1,
  [TOPIC_POLICY.unmuted]: 2,
  [TOPIC_POLICY.followed]: 3,
}

/**
 * Moves users' policies with a whole topic, or drops them with a deleted one. In a topic that has messages already the more
 * visible policy counts; otherwise the old topic's policy replaces one for the new name. Users who cannot see the new topic
 * lose their policy. Users who could see nothing of the old topic, having set a policy for its name alone, do not learn
 * where it went. Returns what is left for later commits, if the policies are thousands; `isWaiting`: all of it, since another topic's come
 * before. Source: docs/interface/messages.md#what-moves.
 */
export function migratePolicies(
  tx: RealmTransaction,
  gone: EmptiedTopic,
  facts: PolicyFacts,
  isWaiting: boolean,
): OpenMigration | undefined {
  if (gone.to && isSameTopic(gone.from, gone.to) && gone.from.topic === gone.to.topic) return undefined
  const all = { ...gone, at: Number.POSITIVE_INFINITY, after: 0 }
  const left = isWaiting ? all : migrateNext(tx, all, facts)
  return left && { ...left, at: Math.floor(tx.now) }
}

/** Moves the next policies. Returns the rest. */
export function migrateNext(
  tx: RealmTransaction,
  migration: OpenMigration,
  facts: PolicyFacts,
): OpenMigration | undefined {
  const { from, to, after } = migration
  const limit = CHANGES_OF_COMMIT
  const before = nextTopicSettings(tx.sql, from.channelId, from.topic, after, limit)
  const there =
    to && !isSameTopic(from, to) ? nextTopicSettings(tx.sql, to.channelId, to.topic, after, limit) : []
  const isOver = before.length < limit && there.length < limit
  const upTo = isOver
    ? Number.MAX_SAFE_INTEGER
    : Math.min(...[before, there].filter(({ length }) => length === limit).map((list) => list.at(-1)!.userId))
  changePolicies(tx, migration, upTo, { before, there }, facts)
  return isOver ? undefined : { ...migration, after: upTo }
}

function changePolicies(
  tx: RealmTransaction,
  migration: OpenMigration,
  upTo: number,
  { before, there }: Record<'before' | 'there', readonly UserTopic[]>,
  facts: PolicyFacts,
): void {
  const { from, to, targetHadMessages, at } = migration
  // Policies are set as of that time, so that they move again if the topic was moved again meanwhile.
  const updatedAt = Math.min(at, tx.now)
  const byUser = (settings: readonly UserTopic[]) =>
    new Map(settings.filter(({ userId }) => userId <= upTo).map((setting) => [setting.userId, setting]))
  const [old, present] = [byUser(before), byUser(there)]
  const alike: UserTopic[] = []
  for (const userId of [...new Set([...old.keys(), ...present.keys()])].sort((a, b) => a - b)) {
    const [own, target] = [old.get(userId), present.get(userId)]
    // After a change of case alone, users who have the policy in the new spelling keep it.
    if (own && own.channelId === to?.channelId && own.name === to.topic) continue
    if (own && (own.updatedAt > at || facts.keepsPolicy(userId) || !facts.sawTopic(userId))) continue
    const [was, is] = [own?.policy ?? TOPIC_POLICY.none, target?.policy ?? TOPIC_POLICY.none]
    const isLost = !to || facts.losesAccess(userId)
    const policy = targetHadMessages ? mostVisible(was, is) : was
    // Queues for the older event get all of a user's topics after each change.
    if (own && !isLost && !target && policy === was && !hasQueueForMutedTopics(tx.sql, userId)) {
      alike.push(own)
      continue
    }
    const change = { userId, updatedAt }
    // The event has the user's own spelling: the other may be that of a message that they cannot read.
    if (own)
      setPolicy(tx, { ...change, channelId: from.channelId, topic: own.name, policy: TOPIC_POLICY.none })
    if (!isLost && !(target && target.updatedAt > at)) setPolicy(tx, { ...change, ...to, policy })
  }
  if (to) moveTogether(tx, alike, from, { ...to, updatedAt })
}

/** Moves the policies of users who have none for the new name, with as few events as there are spellings and policies. */
function moveTogether(
  tx: RealmTransaction,
  settings: readonly UserTopic[],
  from: TopicKey,
  to: TopicKey & { readonly updatedAt: number },
): void {
  if (settings.length === 0) return
  renameTopicOfUsers(tx.sql, from, to, idsOf(settings))
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

function isSameTopic(one: TopicKey, other: TopicKey): boolean {
  return one.channelId === other.channelId && topicKey(one.topic) === topicKey(other.topic)
}

function mostVisible(a: TopicPolicy, b: TopicPolicy): TopicPolicy {
  return VISIBILITY[a] >= VISIBILITY[b] ? a : b
}
