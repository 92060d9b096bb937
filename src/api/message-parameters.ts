import * as v from 'valibot'
import { MAX_MESSAGE_LENGTH, MAX_TOPIC_LENGTH } from '../model/messages/send/message-text.ts'
import { textCutTo, word } from './parameter-types.ts'

/** A message's source, without white space at its end and empty lines at its beginning. */
export const messageContent = textCutTo(MAX_MESSAGE_LENGTH, (content) =>
  content.trimEnd().replace(/^\n+/u, ''),
)

/** The topic of a new message. */
export const sentTopic = textCutTo(MAX_TOPIC_LENGTH, (topic) => topic.trim())

/** Where a page of messages is. Source: docs/interface/reading.md#anchors. */
export const anchor = v.pipe(
  word,
  v.description('A message id, or `newest`, `oldest`, `first_unread` or `date`.'),
)

/** For the anchor `date`. */
export const anchorDate = v.pipe(word, v.description('A date, or a date and a time, as in ISO 8601.'))
