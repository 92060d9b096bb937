/** Step `web-push` of the schema. */
export const WEB_PUSH_STATEMENTS: readonly string[] = [
  // session_id: of the browser's session that registered it and ends it; null where a key did.
  `CREATE TABLE web_push_subscription (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER NOT NULL,
    session_id INTEGER,
    endpoint TEXT NOT NULL UNIQUE,
    p256dh TEXT NOT NULL,
    auth TEXT NOT NULL
  )`,
  `CREATE INDEX web_push_subscription_of_user ON web_push_subscription (user_id)`,
  `CREATE TRIGGER browser_session_ends_web_push AFTER DELETE ON browser_session
   BEGIN DELETE FROM web_push_subscription WHERE session_id = OLD.id AND user_id = OLD.user_id; END`,
]
