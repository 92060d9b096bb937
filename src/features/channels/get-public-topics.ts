import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { jsonBoolean, pathInteger } from '../../api/parameter-types.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import type { Anyone } from '../../model/anyone.ts'
import { invalidChannelId } from '../../rules/channel-rules.ts'
import { isOpenToSpectators } from '../../rules/spectator-rules.ts'
import { type Channel, findChannel } from '../../store/channels/channel-rows.ts'
import {
  type GetStreamTopicsParams,
  type PresentedTopic,
  presentTopics,
  topicsOfChannel,
} from './channel-topics.ts'

/**
 * Lists topics of a web-public channel, for a visitor without an account. Source:
 * docs/interface/visitors.md#routes; docs/interface/visitors.md#messages.
 * @throws BadRequestError for every other channel, and for one that does not exist.
 */
export const getPublicTopicsEndpoint = defineEndpoint({
  operation: 'get-public-topics',
  method: 'GET',
  path: '/users/me/:stream_id/topics',
  access: 'spectator',
  params: { stream_id: pathInteger, allow_empty_topic_name: v.optional(jsonBoolean, 'false') },
  returns: v.object({ topics: v.array(v.object({ name: v.string(), max_id: v.number() })) }),
  command: { reads: true, apply: getPublicTopics },
  largeAnswer: true,
})

function getPublicTopics(
  tx: RealmReads,
  _anyone: Anyone,
  { stream_id, allow_empty_topic_name }: GetStreamTopicsParams,
): { topics: PresentedTopic[] } {
  const { id } = requireOpenChannel(tx.sql, stream_id)
  return { topics: presentTopics(tx.use(topicsOfChannel, id), allow_empty_topic_name) }
}

function requireOpenChannel(sql: Sql, channelId: number): Channel {
  const channel = findChannel(sql, channelId)
  if (!channel || !isOpenToSpectators(channel)) throw invalidChannelId()
  return channel
}
