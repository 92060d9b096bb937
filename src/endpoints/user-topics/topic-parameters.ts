import { MAX_TOPIC_LENGTH } from '../../domain/messages/send/message-text.ts'
import { trimmedTextUpTo } from '../parameter-types.ts'

/** A topic that is named, not sent to: one that is too long is an error (docs/interface/conventions.md#topics). */
export const topicName = trimmedTextUpTo(MAX_TOPIC_LENGTH)
