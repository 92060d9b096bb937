import { CHANGES_OF_COMMIT } from '../../core/budgets.ts'
import { fromJson, type JsonText, jsonText } from '../../core/json.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { WritableSql } from '../../core/sql.ts'
import { hasQueueForMutedTopics } from '../../events/queue.ts'
import { topicKey } from '../../store/messages/topic-rows.ts'
import { deleteMeta, firstMetaFrom, writeMeta } from '../../store/meta-rows.ts'
import {
  nextTopicSettings,
  renameTopicOfUsers,
  TOPIC_POLICY,
  type TopicPolicy,
  type UserTopic,
} from '../../store/user-topics/user-topic-rows.ts'
import { emitPolicy, setPolicy } from './set-policy.ts'

/** The job that moves or drops settings for topics that have more of them than one commit takes. */
export const MIGRATE_POLICIES = 'migrate-policies'

export interface TopicKey {
  readonly channelId: number
  readonly topic: string
}

/** A topic that has gone elsewhere, or no longer exists. */
export interface GoneTopic {
  readonly from: TopicKey
  /** Undefined: its messages are deleted. */
  readonly to?: TopicKey
  /** Whether the new topic had messages before. */
  readonly targetHadMessages: boolean
  /** The newest of the messages that went. */
  readonly newestMessageId: number
}

/** The access of a user to a topic that has gone. */
export interface PolicyFacts {
  /** Whether the user had something to read in it. */
  sawTopic(userId: number): boolean
  /** Whether the user keeps the policy where it is. */
  keepsPolicy(userId: number): boolean
  /** Whether the user cannot read in the new topic. */
  losesAccess(userId: number): boolean
}

/** The rest of the work, as it is stored. */
interface OpenMigration extends GoneTopic {
  /** UNIX seconds. Settings that users have made since then stay. */
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
 * Moves users' policies with a whole topic. In a topic that has messages already, the more visible policy
 * counts; otherwise the old topic's policy replaces one for the new name. Users who cannot see the target
 * lose their policy; and users who see nothing of the old topic, having set a policy for its name alone, do
 * not learn where it went. Policies of thousands are moved by a job, in the order in which topics went. `gone.to`
 * undefined: drops them. Source: docs/interface/messages.md#what-moves.
 */
export function migratePolicies(tx: RealmTransaction, gone: GoneTopic, facts: PolicyFacts): void {
  if (gone.to && isSameTopic(gone.from, gone.to) && gone.from.topic === gone.to.topic) return
  const all = { ...gone, at: Number.POSITIVE_INFINITY, after: 0 }
  const isOpen = oldestOpen(tx.sql) !== undefined
  const left = isOpen ? all : migrateNext(tx, all, facts)
  if (!left) return
  const key = `${keyOf(tx.lastEventId())} ${gone.from.channelId} ${topicKey(gone.from.topic)}` as const
  writeMeta(tx.sql, key, jsonText({ ...left, at: Math.floor(tx.now) }))
  tx.schedule({ kind: MIGRATE_POLICIES, key: '', dueAt: tx.now })
}

/** Moves the next policies of a topic that went. Returns when to continue (UNIX seconds). */
export function continueMigration(
  tx: RealmTransaction,
  factsOf: (gone: GoneTopic) => PolicyFacts,
): number | undefined {
  const open = oldestOpen(tx.sql)
  if (!open) return undefined
  const left = migrateNext(tx, open.migration, factsOf(open.migration))
  if (left) writeMeta(tx.sql, open.key, jsonText(left))
  else deleteMeta(tx.sql, open.key)
  return tx.now
}

/** Returns what is left then. */
function migrateNext(
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
  // As of that time, so that they follow the topic when it has gone on meanwhile.
  const updatedAt = Math.min(at, tx.now)
  const byUser = (settings: readonly UserTopic[]) =>
    new Map(settings.filter(({ userId }) => userId <= upTo).map((setting) => [setting.userId, setting]))
  const [old, present] = [byUser(before), byUser(there)]
  const alike: UserTopic[] = []
  for (const userId of [...new Set([...old.keys(), ...present.keys()])].sort((a, b) => a - b)) {
    const [own, target] = [old.get(userId), present.get(userId)]
    // After a change of case alone, users who have the setting in the new spelling keep it.
    if (own && own.channelId === to?.channelId && own.name === to.topic) continue
    if (own && (own.updatedAt > at || facts.keepsPolicy(userId) || !facts.sawTopic(userId))) continue
    const [was, is] = [own?.policy ?? TOPIC_POLICY.none, target?.policy ?? TOPIC_POLICY.none]
    const isLost = !to || facts.losesAccess(userId)
    const policy = targetHadMessages ? mostVisible(was, is) : was
    // The older form of the event names all of a user's topics, after each change.
    if (own && !isLost && !target && policy === was && !hasQueueForMutedTopics(tx.sql, userId)) {
      alike.push(own)
      continue
    }
    const change = { userId, updatedAt }
    // In this user's spelling: the other may be that of a message that they cannot read.
    if (own)
      setPolicy(tx, { ...change, channelId: from.channelId, topic: own.name, policy: TOPIC_POLICY.none })
    if (!isLost && !(target && target.updatedAt > at)) setPolicy(tx, { ...change, ...to, policy })
  }
  if (to) moveTogether(tx, alike, from, { ...to, updatedAt })
}

/**
 * Moves the policies of users who have none for the new name, together: two rows for each, and one event for all
 * with the same spelling of the old name, or the same policy.
 */
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

function oldestOpen(sql: WritableSql) {
  const found = firstMetaFrom<JsonText<OpenMigration>>(sql, keyOf(0), keyOf(LAST))
  return found && { key: found.key, migration: fromJson(found.value) }
}

/** Numbers of events have at most so many digits. */
const DIGITS = 16
const LAST = Number.MAX_SAFE_INTEGER

function keyOf(eventId: number): `policies:${string}` {
  return `policies:${String(eventId).padStart(DIGITS, '0')}`
}

function mostVisible(a: TopicPolicy, b: TopicPolicy): TopicPolicy {
  return VISIBILITY[a] >= VISIBILITY[b] ? a : b
}
