import type { ReadCommand } from '../../core/command.ts'
import type { Sql } from '../../core/sql.ts'
import { invalidChannelId } from '../../permissions/channel-rules.ts'
import { isOpenToSpectators } from '../../permissions/spectator-rules.ts'
import type { Anyone } from '../anyone.ts'
import { type Channel, findChannel } from '../channels/channel-rows.ts'
import {
  type GetStreamTopicsParams,
  type PresentedTopic,
  presentTopics,
} from '../channels/read/get-stream-topics.ts'
import { loadTopicsOfChannel, type TopicsInTurns, topicsNow } from '../messages/topics-in-turns.ts'

/**
 * Lists topics of a web-public channel, for somebody without an account. Source:
 * docs/interface/visitors.md#routes; docs/interface/visitors.md#messages.
 * @throws BadRequestError for every other channel, and for one that does not exist.
 */
export const getPublicTopics: ReadCommand<
  Anyone,
  GetStreamTopicsParams,
  TopicsInTurns,
  { topics: PresentedTopic[] }
> = {
  reads: true,
  async load({ walks }, view, _anyone, { stream_id }) {
    return loadTopicsOfChannel(walks, view, requireOpenChannel(view.sql, stream_id).id)
  },
  apply({ sql }, _anyone, { stream_id, allow_empty_topic_name }, loaded) {
    const { topics } = topicsNow(sql, requireOpenChannel(sql, stream_id).id, loaded)
    return { topics: presentTopics(topics, allow_empty_topic_name) }
  },
}

function requireOpenChannel(sql: Sql, channelId: number): Channel {
  const channel = findChannel(sql, channelId)
  if (!channel || !isOpenToSpectators(channel)) throw invalidChannelId()
  return channel
}
