/**
 * Step `message-postings` of the schema: for each block of 4,096 message ids that is full, which of them are a
 * sender's, and which have a link, an image, … (domain/messages/message-posting-rows.ts). A row or so for a
 * hundred messages, written by a job, in place of an index that costs a row for every send.
 */
export const MESSAGE_POSTING_TABLES: readonly string[] = [
  `CREATE TABLE message_posting (
        key INTEGER NOT NULL, block INTEGER NOT NULL, ids BLOB NOT NULL, PRIMARY KEY (key, block)
      ) WITHOUT ROWID`,
]
