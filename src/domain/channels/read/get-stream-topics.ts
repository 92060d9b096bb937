import type { ReadCommand } from '../../../core/command.ts'
import { StaleError } from '../../../core/realm-transaction.ts'
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../../permissions/topic-rules.ts'
import type { Caller } from '../../caller.ts'
import {
  type ListedTopic,
  type ReceivedInTopics,
  topicsReceivedBy,
} from '../../messages/channel-topic-rows.ts'
import {
  loadReceived,
  loadTopicsOfChannel,
  receivedStill,
  type TopicsInTurns,
  topicsNow,
} from '../../messages/topics-in-turns.ts'
import { receivedRanges } from '../../subscriptions/period-rows.ts'
import { requireReadableChannel } from '../visibility/find-for-caller.ts'

export interface GetStreamTopicsParams {
  readonly stream_id: number
  readonly allow_empty_topic_name: boolean
}

export interface PresentedTopic {
  readonly name: string
  readonly max_id: number
}

/**
 * Lists topics of a channel, the one with the newest message first; in protected history only those in which
 * the caller has a message. Source: docs/interface/reading.md#topics-of-a-channel;
 * docs/decisions/interface.md#messages.
 */
export const getStreamTopics: ReadCommand<
  Caller,
  GetStreamTopicsParams,
  LoadedTopics,
  { topics: PresentedTopic[] }
> = {
  reads: true,
  async load({ walks }, view, caller, { stream_id }) {
    const { id, historyPublicToSubscribers } = requireReadableChannel(view.sql, caller, stream_id)
    const all = await loadTopicsOfChannel(walks, view, id)
    if (historyPublicToSubscribers) return { all }
    return { all, received: await loadReceived(walks, view, ownIn(caller, id), all) }
  },
  apply(tx, caller, { stream_id, allow_empty_topic_name }, { all, received }) {
    const { id, historyPublicToSubscribers } = requireReadableChannel(tx.sql, caller, stream_id)
    const { topics, changed } = topicsNow(tx.sql, id, all)
    if (historyPublicToSubscribers) return { topics: presentTopics(topics, allow_empty_topic_name) }
    // History may have become protected meanwhile.
    if (!received) throw new StaleError()
    const ranges = receivedRanges(tx.sql, caller.user.id, id)
    const found = receivedStill(received, ranges, changed)
    const own = topicsReceivedBy(tx.sql, ownIn(caller, id), topics, ranges, found)
    return { topics: presentTopics(own, allow_empty_topic_name) }
  },
}

interface LoadedTopics {
  readonly all: TopicsInTurns
  /** What the caller has of them, in protected history. */
  readonly received?: ReceivedInTopics
}

function ownIn({ user }: Caller, channelId: number) {
  return { userId: user.id, channelId }
}

export function presentTopics(topics: readonly ListedTopic[], allowEmptyTopic: boolean): PresentedTopic[] {
  return topics.map(({ name, newestMessageId }) => ({
    name: name === '' && !allowEmptyTopic ? EMPTY_TOPIC_DISPLAY_NAME : name,
    max_id: newestMessageId,
  }))
}
