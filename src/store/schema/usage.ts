/** Step `usage`: what the organization has used. */
export const USAGE: readonly string[] = [
  // period: a day in UTC, 2026-11-30, or `all`, since the organization has been counted. counts: JSON, by the names of core/metrics.ts.
  `CREATE TABLE usage (
    period TEXT PRIMARY KEY,
    counts TEXT NOT NULL
  ) WITHOUT ROWID`,
]
