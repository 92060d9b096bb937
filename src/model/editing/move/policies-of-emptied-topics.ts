import type { Continuation, RealmReads, RealmTransaction } from '../../../core/realm-transaction.ts'
import { mayAccessChannelContent } from '../../../rules/channel-rules.ts'
import { type Channel, findChannel } from '../../../store/channels/channel-rows.ts'
import { hasReceivedInTopic } from '../../../store/messages/flags/received-message-rows.ts'
import { findTopic, type Topic } from '../../../store/messages/topic-rows.ts'
import { findLeft } from '../../../store/open-changes/continuation-rows.ts'
import { isReceived, receivedRanges } from '../../../store/subscriptions/received-range-rows.ts'
import { isSubscribed } from '../../../store/subscriptions/subscriber-rows.ts'
import { findUser } from '../../../store/users/user-rows.ts'
import { actorOf } from '../../caller.ts'
import {
  type EmptiedTopic,
  migrateNext,
  migratePolicies,
  type OpenMigration,
  type PolicyFacts,
} from '../../user-topics/migrate-policies.ts'
import { losesAccess } from './move-audience.ts'
import type { PreparedMove } from './move-topic.ts'

/** Moves the visibility policies that users chose for a topic, once no message is left in it. */
export function movePolicies(
  tx: RealmTransaction,
  { plan, ids, isWholeTopic, targetHasMessages }: PreparedMove,
): void {
  if (!isWholeTopic) return
  const { from, to, oldTopic, newTopic } = plan
  const hasReceived = (userId: number) =>
    hasReceivedInTopic(tx.sql, oldTopic, userId, from.historyPublicToSubscribers)
  const gone: EmptiedTopic = {
    from: { channelId: from.id, topic: oldTopic.name },
    to: { channelId: to.id, topic: newTopic },
    targetHadMessages: targetHasMessages,
    newestMessageId: ids.at(-1)!,
  }
  migrate(tx, gone, factsOfMove(tx, from, to, hasReceived))
}

/** Deletes the policies for a topic whose messages are deleted, except those of users who can still see messages in it. */
export function dropPolicies(tx: RealmTransaction, channel: Channel, topic: Topic): void {
  const gone = {
    from: { channelId: channel.id, topic: topic.name },
    targetHadMessages: false,
    newestMessageId: 0,
  }
  migrate(tx, gone, factsOfDeletion(tx, topic))
}

function migrate(tx: RealmTransaction, gone: EmptiedTopic, facts: PolicyFacts): void {
  const open = findLeft(tx.sql, migrations, '') ?? []
  const left = migratePolicies(tx, gone, facts, open.length > 0)
  if (left) tx.continueLater(migrations, '', [...open, left])
}

/** Moves or deletes the policies of thousands, topic by topic. */
export const migrations: Continuation<readonly OpenMigration[]> = {
  name: 'migrate-policies',
  next(tx, [migration, ...others]) {
    const left = migration && migrateNext(tx, migration, factsOf(tx, migration))
    return left || others.length > 0 ? [...(left ? [left] : []), ...others] : undefined
  },
}

function factsOf(tx: RealmReads, { from, to, newestMessageId }: EmptiedTopic): PolicyFacts {
  if (!to) return factsOfDeletion(tx, findTopic(tx.sql, from.channelId, from.topic))
  const [before, after] = [findChannel(tx.sql, from.channelId)!, findChannel(tx.sql, to.channelId)!]
  // The messages have been moved by now. Users who received the newest of them saw the topic.
  const hasReceived = (userId: number) =>
    before.historyPublicToSubscribers ||
    isReceived(receivedRanges(tx.sql, userId, before.id), newestMessageId)
  return factsOfMove(tx, before, after, hasReceived)
}

function factsOfMove(
  tx: RealmReads,
  from: Channel,
  to: Channel,
  hasReceived: (userId: number) => boolean,
): PolicyFacts {
  return {
    sawTopic: (userId) => mayRead(tx, userId, from) && hasReceived(userId),
    keepsPolicy: () => false,
    losesAccess(userId) {
      const user = findUser(tx.sql, userId)
      return user === undefined || (from.id !== to.id && losesAccess(tx, user, to))
    },
  }
}

function mayRead({ sql, now }: RealmReads, userId: number, channel: Channel): boolean {
  const user = findUser(sql, userId)
  if (!user) return false
  return mayAccessChannelContent(actorOf(sql, user, now), channel, isSubscribed(sql, channel.id, userId))
}

function factsOfDeletion({ sql }: RealmReads, topic: Topic | undefined): PolicyFacts {
  return {
    sawTopic: () => true,
    keepsPolicy: (userId) => topic !== undefined && hasReceivedInTopic(sql, topic, userId, false),
    losesAccess: () => false,
  }
}
