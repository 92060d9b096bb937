/** Step `pins`: the messages and topics at the head of a channel. */
export const PINS: readonly string[] = [
  // Either message_id or topic_id. channel_id: where the message or topic is now. pinned_at: UNIX seconds.
  `CREATE TABLE pin (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    channel_id INTEGER NOT NULL,
    message_id INTEGER UNIQUE,
    topic_id INTEGER UNIQUE,
    pinned_by INTEGER NOT NULL,
    pinned_at INTEGER NOT NULL
  )`,
  `CREATE INDEX pin_by_channel ON pin (channel_id)`,
]
