/** Step `accounts-in-d1`: D1 gets all accounts of an organization that was founded before it had any, in commits of their own. */
export const ACCOUNTS_IN_D1: readonly string[] = [
  `INSERT OR IGNORE INTO job (kind, key, due_at) SELECT 'compare-accounts', '', 1 WHERE EXISTS (SELECT 1 FROM user)`,
]
