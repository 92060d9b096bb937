import { IdSet } from '../../core/id-set.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { recipientOf } from '../../core/recipient-id.ts'
import type { Sql } from '../../core/sql.ts'
import { mayAccessChannelContent } from '../../rules/channel-rules.ts'
import type { Channel } from '../../store/channels/channel-rows.ts'
import { hasReceivedInTopic } from '../../store/messages/flags/received-message-rows.ts'
import { findMessage, type IndexedMessage } from '../../store/messages/message-rows.ts'
import { findTopic } from '../../store/messages/topic-rows.ts'
import { isSubscribed, subscribersOf } from '../../store/subscriptions/subscriber-rows.ts'
import { findSubscription } from '../../store/subscriptions/subscription-rows.ts'
import {
  policiesAmong,
  TOPIC_POLICY,
  type TopicPolicy,
  topicPolicy,
} from '../../store/user-topics/user-topic-rows.ts'
import { userSetting } from '../../store/users/settings/user-setting-rows.ts'
import { findUser, findUsers, type User } from '../../store/users/user-rows.ts'
import { actorOf } from '../caller.ts'
import type { Composition } from '../messages/text/compose.ts'
import { topicOfMessage } from '../messages/topic-of-message.ts'
import { accountsWithRoom, hasRoom } from '../quotas/within-quota.ts'
import { followTogether, setPolicy, type TopicKey } from '../user-topics/set-policy.ts'

/** Values of settings such as `automatically_follow_topics_policy`: the action that follows a topic. */
const ON = { participation: 1, send: 2, initiation: 3 } as const
type Occasion = keyof typeof ON

/** Returns the policy that sending will give the sender for the topic, by their settings; undefined when it stays. */
export function policyAfterSend(
  tx: RealmReads,
  { author, destination }: Composition,
): TopicPolicy | undefined {
  if (destination.kind === 'direct') return undefined
  const { channel, topic } = destination
  const key = { channelId: channel.id, topic }
  const occasions: Occasion[] = startsTopic(tx.sql, author.user, destination)
    ? ['participation', 'send', 'initiation']
    : ['participation', 'send']
  return changedPolicy(tx, author.user, key, occasions)
}

type ToChannel = Extract<Composition['destination'], { kind: 'channel' }>

/** Whether the topic has no message that the sender can see. */
function startsTopic(sql: Sql, user: User, { channel, topic }: ToChannel): boolean {
  // Starting a topic does not change an existing policy (`changedPolicy`).
  if (topicPolicy(sql, user.id, channel.id, topic) !== TOPIC_POLICY.none) return false
  const known = findTopic(sql, channel.id, topic)
  return known === undefined || !hasReceivedInTopic(sql, known, user.id, channel.historyPublicToSubscribers)
}

/** Gives the sender of a message the policy of `policyAfterSend`, and follows the topic for users whom the message mentions by name. */
export function followAfterSend(
  tx: RealmTransaction,
  message: Composition,
  policy: TopicPolicy | undefined,
): void {
  const { author, destination } = message
  if (destination.kind === 'direct') return
  const key = { channelId: destination.channel.id, topic: destination.topic }
  if (policy !== undefined) setPolicy(tx, { userId: author.user.id, ...key, policy })
  followForMentioned(tx, message, key)
}

/** Follows the topic after a reaction, which counts as participation (docs/interface/messages.md#send-a-message). */
export function followAfterReaction(
  tx: RealmTransaction,
  { user }: { readonly user: User },
  message: Pick<IndexedMessage, 'id' | 'topicId' | 'topicSpelling' | 'moveId' | 'recipientId'>,
): void {
  const topic = topicOfMessage(tx.sql, message)
  if (!topic) return
  const key = { channelId: recipientOf(message.recipientId).id, topic: topic.name }
  const policy = changedPolicy(tx, user, key, ['participation'])
  if (policy !== undefined) setPolicy(tx, { userId: user.id, ...key, policy })
}

/** A move that is over. */
interface Moved {
  readonly from: Channel
  readonly to: Channel
  readonly newTopic: string
  /** The oldest of the moved messages. */
  readonly firstId: number
  /** Whether nothing is left in the old topic that the mover can see, so that the settings for it have moved along. */
  readonly isWholeTopic: boolean
  /** Whether the mover could see messages in the new topic before. */
  readonly targetHasMessages: boolean
}

/**
 * Follows or unmutes a topic that a move has begun for the author of its first message, as if they had sent that there. A topic that was
 * moved as a whole is followed by those who followed it before; the author may have muted the channel to which it went.
 * Source: docs/interface/messages.md#what-moves.
 */
export function followAfterMove(
  tx: RealmTransaction,
  { from, to, newTopic, firstId, isWholeTopic, targetHasMessages }: Moved,
): void {
  if (targetHasMessages || (isWholeTopic && from.id === to.id)) return
  const first = findMessage(tx.sql, firstId)
  const author = first && findUser(tx.sql, first.senderId)
  if (!author?.isActive) return
  const actor = actorOf(tx.sql, author, tx.now)
  if (!mayAccessChannelContent(actor, to, isSubscribed(tx.sql, to.id, author.id))) return
  const key = { channelId: to.id, topic: newTopic }
  const policy = changedPolicy(tx, author, key, ['participation', 'send', 'initiation'])
  if (policy === undefined || (isWholeTopic && policy === TOPIC_POLICY.followed)) return
  setPolicy(tx, { userId: author.id, ...key, policy })
}

/** Returns the policy that these occasions give a user; undefined when it stays. */
function changedPolicy(
  tx: RealmReads,
  user: User,
  { channelId, topic }: TopicKey,
  occasions: readonly Occasion[],
): TopicPolicy | undefined {
  if (user.botType !== null) return undefined
  const present = topicPolicy(tx.sql, user.id, channelId, topic)
  if (present === TOPIC_POLICY.followed) return undefined
  // Starting a topic does not change an existing policy.
  const counted = present === TOPIC_POLICY.none ? occasions : occasions.filter((one) => one !== 'initiation')
  const policy = policyFor(tx.sql, user, channelId, counted)
  if (policy === undefined || policy === present) return undefined
  return present === TOPIC_POLICY.none && !hasRoom(tx, 'topicSettings', user.id) ? undefined : policy
}

/** Following takes precedence; unmuting is only useful in a muted channel. */
function policyFor(
  sql: Sql,
  user: User,
  channelId: number,
  occasions: readonly Occasion[],
): TopicPolicy | undefined {
  const asks = (wanted: number) => occasions.some((occasion) => ON[occasion] === wanted)
  if (asks(userSetting(user, 'automatically_follow_topics_policy'))) return TOPIC_POLICY.followed
  if (!asks(userSetting(user, 'automatically_unmute_topics_in_muted_streams_policy'))) return undefined
  const subscription = findSubscription(sql, channelId, user.id)
  return subscription?.isActive && subscription.isMuted ? TOPIC_POLICY.unmuted : undefined
}

/** Follows the topic for mentioned users, who may be hundreds: each fact about them is read by one statement. */
function followForMentioned(tx: RealmTransaction, { rendered }: Composition, key: TopicKey): void {
  if (rendered.mentionedUserIds.length === 0) return
  const willing = [...findUsers(tx.sql, rendered.mentionedUserIds).values()]
    .filter(({ botType, isActive }) => botType === null && isActive)
    .filter((user) => userSetting(user, 'automatically_follow_topics_where_mentioned'))
    .map(({ id }) => id)
  if (willing.length === 0) return
  const ids = subscribersOf(tx.sql, key.channelId).and(IdSet.of(willing)).toArray()
  const policies = policiesAmong(tx.sql, key.channelId, key.topic, ids)
  const presentOf = (id: number) => policies.get(id) ?? TOPIC_POLICY.none
  // Only a new setting needs room.
  const newMembers = ids.filter((id) => presentOf(id) === TOPIC_POLICY.none)
  const withRoom = new Set(accountsWithRoom(tx, 'topicSettings', newMembers))
  followTogether(
    tx,
    key,
    ids.filter((id) => presentOf(id) === TOPIC_POLICY.unmuted || withRoom.has(id)),
  )
}
