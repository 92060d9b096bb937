import type { ReadCommand } from '../../../core/command.ts'
import type { Caller } from '../../../model/caller.ts'
import { requireReadableChannel } from '../../../model/channels/visibility/find-for-caller.ts'
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../../rules/topic-rules.ts'
import type { ListedTopic } from '../../../store/messages/channel-topic-rows.ts'
import { topicsOfChannel, topicsReceived } from '../channel-topics.ts'

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
export const getStreamTopics: ReadCommand<Caller, GetStreamTopicsParams, void, { topics: PresentedTopic[] }> =
  {
    reads: true,
    apply(tx, caller, { stream_id, allow_empty_topic_name }) {
      const { id, historyPublicToSubscribers } = requireReadableChannel(tx.sql, caller, stream_id)
      const topics = historyPublicToSubscribers
        ? tx.use(topicsOfChannel, id)
        : tx.use(topicsReceived, { userId: caller.user.id, channelId: id })
      return { topics: presentTopics(topics, allow_empty_topic_name) }
    },
  }

export function presentTopics(topics: readonly ListedTopic[], allowEmptyTopic: boolean): PresentedTopic[] {
  return topics.map(({ name, newestMessageId }) => ({
    name: name === '' && !allowEmptyTopic ? EMPTY_TOPIC_DISPLAY_NAME : name,
    max_id: newestMessageId,
  }))
}
