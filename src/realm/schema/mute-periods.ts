import { ENDED_MUTE_QUOTA_STATEMENTS } from './quotas.ts'

/**
 * Step `mute-periods` of the schema: since which message somebody is muted, or was, by ids like those of subscriptions. So it follows
 * which of their messages arrived read, without a row for each of thousands who have muted them. Earlier messages have such rows.
 */
export const MUTE_PERIOD_STATEMENTS: readonly string[] = [
  `ALTER TABLE muted_user ADD COLUMN since_message_id INTEGER NOT NULL DEFAULT 0`,
  // The messages above one id and up to the other were sent meanwhile.
  `CREATE TABLE ended_mute (
    user_id INTEGER NOT NULL,
    muted_user_id INTEGER NOT NULL,
    since_message_id INTEGER NOT NULL,
    until_message_id INTEGER NOT NULL,
    PRIMARY KEY (user_id, muted_user_id, since_message_id)
  ) WITHOUT ROWID`,
  `CREATE INDEX ended_mute_by_muted ON ended_mute (muted_user_id)`,
  ...ENDED_MUTE_QUOTA_STATEMENTS,
]
