import { MAX_MESSAGE_LENGTH, MAX_TOPIC_LENGTH } from '../../domain/messages/send/message-text.ts'
import { textCutTo } from '../parameter-types.ts'

/** A message's source, without white space at its end and empty lines at its beginning. */
export const messageContent = textCutTo(MAX_MESSAGE_LENGTH, (content) =>
  content.trimEnd().replace(/^\n+/u, ''),
)

/** The topic of a new message. */
export const sentTopic = textCutTo(MAX_TOPIC_LENGTH, (topic) => topic.trim())
