import type { ReadCommand } from '../../core/command.ts'
import { invalidChannelId } from '../../permissions/channel-rules.ts'
import { isOpenToSpectators } from '../../permissions/spectator-rules.ts'
import type { Anyone } from '../anyone.ts'
import { findChannel } from '../channels/channel-rows.ts'
import {
  type GetStreamTopicsParams,
  type PresentedTopic,
  presentTopics,
} from '../channels/read/get-stream-topics.ts'
import { topicsOfChannel } from '../messages/channel-topic-rows.ts'

/**
 * Lists topics of a web-public channel, for somebody without an account. Source:
 * docs/interface/visitors.md#routes; docs/interface/visitors.md#messages.
 * @throws BadRequestError for every other channel, and for one that does not exist.
 */
export const getPublicTopics: ReadCommand<Anyone, GetStreamTopicsParams, void, { topics: PresentedTopic[] }> =
  {
    reads: true,
    apply({ sql }, _anyone, { stream_id, allow_empty_topic_name }) {
      const channel = findChannel(sql, stream_id)
      if (!channel || !isOpenToSpectators(channel)) throw invalidChannelId()
      return { topics: presentTopics(topicsOfChannel(sql, channel.id), allow_empty_topic_name) }
    },
  }
