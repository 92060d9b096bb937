/** What a bot that was taken over may know of its past. records_since: the newest message at that time. */
export const TAKEN_OVER_BOTS: readonly string[] = [
  `ALTER TABLE user ADD COLUMN records_since INTEGER NOT NULL DEFAULT 0`,
]
