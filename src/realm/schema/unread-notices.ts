/**
 * Step `unread-notices` of the schema: the people for whom a notice that a topic was resolved arrived unread, one bit an account, 4,096
 * accounts a block. It arrived read for all others. Earlier notices have a row of flags for each of these people.
 */
export const UNREAD_NOTICE_STATEMENTS: readonly string[] = [
  `CREATE TABLE unread_notice (
    message_id INTEGER NOT NULL,
    block INTEGER NOT NULL,
    user_ids BLOB NOT NULL,
    PRIMARY KEY (message_id, block)
  ) WITHOUT ROWID`,
]
