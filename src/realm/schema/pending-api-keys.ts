/** Step `pending-api-keys` of the schema. */
export const PENDING_API_KEY_TABLES: readonly string[] = [
  // A key that its account has been given and has not used yet; use_before: UNIX seconds.
  `CREATE TABLE pending_api_key (
    user_id INTEGER PRIMARY KEY,
    api_key TEXT NOT NULL,
    use_before INTEGER NOT NULL
  )`,
]
