import { BadRequestError } from '../../../core/errors.ts'
import type { LongCommand } from '../../../core/long-command.ts'
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../../permissions/topic-rules.ts'
import type { Caller } from '../../caller.ts'
import { findTopic } from '../topic-rows.ts'
import { markRead, requireReadableChannel } from './mark-channel-read.ts'
import { hasReceivedInTopic } from './received-message-rows.ts'

export interface MarkTopicReadParams {
  readonly stream_id: number
  readonly topic_name: string
}

/**
 * Marks a topic's messages as read. Deprecated: clients use flags/narrow. Source:
 * docs/interface/reading.md#mark-as-read.
 * @throws BadRequestError for a topic in which the caller has received nothing.
 */
export const markTopicRead: LongCommand<Caller, MarkTopicReadParams, object> = {
  commits: ({ stream_id, topic_name }) =>
    markRead((tx, caller, isFirst) => {
      const channel = requireReadableChannel(tx, caller, stream_id)
      const name = topic_name === EMPTY_TOPIC_DISPLAY_NAME ? '' : topic_name
      const topic = findTopic(tx.sql, channel.id, name)
      // The topic was moved or deleted during the request.
      if (!topic && !isFirst) return undefined
      if (!topic || !hasReceivedInTopic(tx.sql, topic, caller.user.id, false)) {
        throw new BadRequestError(`No such topic '${topic_name}'`)
      }
      return [
        { operator: 'channel', operand: channel.id, negated: false },
        { operator: 'topic', operand: topic.name, negated: false },
      ]
    }),
}
