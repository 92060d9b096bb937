import { MAX_TOPIC_LENGTH } from '../../domain/messages/send/message-text.ts'
import { trimmedTextUpTo } from '../parameter-types.ts'

/** An existing topic: a name that is too long is an error (docs/interface/conventions.md#topics). */
export const topicName = trimmedTextUpTo(MAX_TOPIC_LENGTH)
