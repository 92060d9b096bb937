import { trimmedTextUpTo } from '../../api/parameter-types.ts'
import { MAX_TOPIC_LENGTH } from '../../model/messages/send/message-text.ts'

/** An existing topic: a name that is too long is an error (docs/interface/conventions.md#topics). */
export const topicName = trimmedTextUpTo(MAX_TOPIC_LENGTH)
