import type { Command } from '../../core/command.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { requireActiveChannelContent } from '../../permissions/channel-rules.ts'
import { mayReadMessage } from '../../permissions/message-rules.ts'
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../permissions/topic-rules.ts'
import type { Caller } from '../caller.ts'
import { topicsReceivedBy } from '../messages/channel-topics.ts'
import { deleteMessages } from '../messages/delete-messages.ts'
import { accessReader } from '../messages/message-access.ts'
import { type IndexedMessage, messagesOfTopicBelow } from '../messages/message-rows.ts'
import { findTopic, type Topic } from '../messages/topic-rows.ts'
import { isSubscribed } from '../subscriptions/subscription-rows.ts'
import { setPolicy } from '../user-topics/set-policy.ts'
import { listTopicSettings, TOPIC_POLICY } from '../user-topics/user-topic-rows.ts'
import { type Channel, findChannel } from './channel-rows.ts'

/** Messages in one commit and one event (behaviour 0.10). */
const BATCH = 100

export interface DeleteTopicParams {
  readonly stream_id: number
  readonly topic_name: string
}

/**
 * Deletes the newest messages of a topic, as many as one commit takes, and says whether any are left: the
 * Worker asks again until there are none, so that the realm can do other things in between. Only what the
 * caller can see is deleted. Source: SPEC 4.14; behaviour 4.14.
 */
export const deleteTopic: Command<Caller, DeleteTopicParams, void, { complete: boolean }> = {
  apply(tx, caller, { stream_id, topic_name }) {
    const { user, actor } = caller
    const subscribed = isSubscribed(tx.sql, stream_id, user.id)
    const channel = requireActiveChannelContent(actor, findChannel(tx.sql, stream_id), subscribed)
    const name = topic_name === EMPTY_TOPIC_DISPLAY_NAME ? '' : topic_name
    const topic = findTopic(tx.sql, channel.id, name)
    if (!topic) return { complete: true }
    const found = newestReadable(tx, caller, topic, BATCH + 1)
    deleteMessages(tx, found.slice(0, BATCH), [user.id])
    const complete = found.length <= BATCH
    if (complete) dropPolicies(tx, channel, topic)
    return { complete }
  },
}

function newestReadable(tx: RealmTransaction, caller: Caller, topic: Topic, limit: number): IndexedMessage[] {
  const accessOf = accessReader(tx, caller)
  const found: IndexedMessage[] = []
  for (let below = Number.MAX_SAFE_INTEGER; found.length < limit; ) {
    const page = messagesOfTopicBelow(tx.sql, topic.id, below, limit)
    found.push(...page.filter((message) => mayReadMessage(caller.actor, accessOf(message))))
    if (page.length < limit) break
    below = page.at(-1)!.id
  }
  return found.slice(0, limit)
}

/** What users wanted of the topic goes with it, unless there is still something in it for them. */
function dropPolicies(tx: RealmTransaction, channel: Channel, topic: Topic): void {
  for (const { userId } of listTopicSettings(tx.sql, channel.id, topic.name)) {
    const isLeft = topicsReceivedBy(tx.sql, userId, channel.id).some(({ id }) => id === topic.id)
    if (isLeft) continue
    setPolicy(tx, { userId, channelId: channel.id, topic: topic.name, policy: TOPIC_POLICY.none })
  }
}
