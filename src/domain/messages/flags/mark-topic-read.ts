import type { Command } from '../../../core/command.ts'
import { BadRequestError } from '../../../core/errors.ts'
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../../permissions/topic-rules.ts'
import type { Caller } from '../../caller.ts'
import type { NarrowTerm } from '../narrow/narrow-terms.ts'
import { findTopic } from '../topic-rows.ts'
import {
  type MarkedRead,
  type MessagesToMark,
  markRead,
  requireReadableChannel,
} from './mark-channel-read.ts'
import { hasReceivedInTopic } from './received-message-rows.ts'

export interface MarkTopicReadParams {
  readonly stream_id: number
  readonly topic_name: string
  /** The messages that an earlier commit of the same request has left. */
  readonly rest?: MessagesToMark
}

/**
 * Marks a topic's messages as read. Deprecated: clients use flags/narrow. Source:
 * docs/interface/reading.md#mark-as-read.
 * @throws BadRequestError for a topic in which the caller has received nothing.
 */
export const markTopicRead: Command<Caller, MarkTopicReadParams, void, MarkedRead> = {
  apply(tx, caller, { stream_id, topic_name, rest }) {
    const channel = requireReadableChannel(tx, caller, stream_id)
    const name = topic_name === EMPTY_TOPIC_DISPLAY_NAME ? '' : topic_name
    const topic = findTopic(tx.sql, channel.id, name)
    // The topic was moved or deleted during the request.
    if (!topic && rest) return {}
    if (!topic || !hasReceivedInTopic(tx.sql, topic, caller.user.id, false)) {
      throw new BadRequestError(`No such topic '${topic_name}'`)
    }
    const terms: NarrowTerm[] = [
      { operator: 'channel', operand: channel.id, negated: false },
      { operator: 'topic', operand: topic.name, negated: false },
    ]
    return markRead(tx, caller, terms, rest)
  },
}
