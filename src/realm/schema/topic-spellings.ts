/**
 * Step `topic-spellings` of the schema: messages keep the spelling of their topic. NULL for the topic's own,
 * as for all earlier messages, which have the one name that their topic had.
 */
export const TOPIC_SPELLING_STATEMENTS: readonly string[] = [
  `ALTER TABLE message_index ADD COLUMN topic_spelling TEXT`,
]
