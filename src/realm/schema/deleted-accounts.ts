/** Step `deleted-accounts` of the schema. */
export const DELETED_ACCOUNT_STATEMENTS: readonly string[] = [
  // 1: what the account said about its person has been deleted; it stays closed.
  `ALTER TABLE user ADD COLUMN is_deleted INTEGER NOT NULL DEFAULT 0`,
]
