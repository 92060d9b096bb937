import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import { jsonInteger, textUpTo } from '../../api/parameter-types.ts'
import type { LongCommand } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { Caller } from '../../model/caller.ts'
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../rules/topic-rules.ts'
import { hasReceivedInTopic } from '../../store/messages/flags/received-message-rows.ts'
import { findTopic } from '../../store/messages/topic-rows.ts'
import { markRead, requireReadableChannel } from './mark-channel-read.ts'

interface MarkTopicReadParams {
  readonly stream_id: number
  readonly topic_name: string
}

/**
 * Marks a topic's messages as read. Deprecated: clients use flags/narrow. Source:
 * docs/interface/reading.md#mark-as-read.
 * @throws BadRequestError for a topic in which the caller has received nothing.
 */
const markTopicRead: LongCommand<Caller, MarkTopicReadParams, object> = {
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

/** Marks a topic's messages read. Source: docs/interface/reading.md#mark-as-read. */
export const markTopicReadEndpoint = defineEndpoint({
  operation: 'mark-topic-read',
  method: 'POST',
  path: '/mark_topic_as_read',
  access: 'user',
  params: { stream_id: jsonInteger, topic_name: textUpTo(NAME_LENGTH) },
  returns: v.object({}),
  command: markTopicRead,
  audit: 'own',
})
