/**
 * Step `topic-spellings` of the schema: messages keep the spelling of their topic. NULL where that is the
 * topic's own, as for all that were sent before: those keep the one name that their topic had.
 */
export const TOPIC_SPELLING_STATEMENTS: readonly string[] = [
  `ALTER TABLE message_index ADD COLUMN topic_spelling TEXT`,
]
