import { MAX_MESSAGE_LENGTH, MAX_TOPIC_LENGTH } from '../../domain/messages/send/message-text.ts'
import { textCutTo } from '../parameter-types.ts'

/** A message's source. White space at its end and empty lines at its beginning do not count. */
export const messageContent = textCutTo(MAX_MESSAGE_LENGTH, (content) =>
  content.trimEnd().replace(/^\n+/u, ''),
)

/** The topic that a message is to have. */
export const sentTopic = textCutTo(MAX_TOPIC_LENGTH, (topic) => topic.trim())
