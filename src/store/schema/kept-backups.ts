/** Step `kept-backups`: backups that are kept beside those of the rule. */
export const KEPT_BACKUPS: readonly string[] = [
  // kept_until: UNIX seconds up to which it is kept whatever the rule says; NULL for most.
  `ALTER TABLE backup ADD COLUMN kept_until REAL`,
]
