/** Step `log-chain` of the schema: a gap in the log is found (domain/verification/check-log.ts). */
export const LOG_CHAIN_STATEMENTS: readonly string[] = [
  // Id of the row before, 0 for the first; null in rows from before this step. Ids themselves have gaps.
  `ALTER TABLE log ADD COLUMN previous INTEGER`,
]
