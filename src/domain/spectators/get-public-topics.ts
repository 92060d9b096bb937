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
import { topicsOfChannel } from '../messages/channel-topics.ts'

/**
 * Lists topics of a web-public channel, for somebody without an account. Source:
 * docs/interface/visitors.md#routes; docs/interface/visitors.md#messages.
 * @throws BadRequestError for every other channel, and for one that does not exist.
 */
export const getPublicTopics: ReadCommand<Anyone, GetStreamTopicsParams, void, { topics: PresentedTopic[] }> =
  {
    reads: true,
    apply(tx, _anyone, { stream_id, allow_empty_topic_name }) {
      const { id } = requireOpenChannel(tx.sql, stream_id)
      return { topics: presentTopics(tx.use(topicsOfChannel, id), allow_empty_topic_name) }
    },
  }

function requireOpenChannel(sql: Sql, channelId: number): Channel {
  const channel = findChannel(sql, channelId)
  if (!channel || !isOpenToSpectators(channel)) throw invalidChannelId()
  return channel
}
