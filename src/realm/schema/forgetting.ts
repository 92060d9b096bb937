/** Step `forgetting` of the schema: what is deleted automatically after a month. */
export const FORGETTING_STATEMENTS: readonly string[] = [
  // since: UNIX seconds from which no message has linked to the upload, unless one has claimed it again.
  `CREATE TABLE unclaimed_attachment (attachment_id INTEGER PRIMARY KEY, since INTEGER NOT NULL)`,
  // since: UNIX seconds at which its last message was deleted.
  `CREATE TABLE emptied_topic (topic_id INTEGER PRIMARY KEY, since INTEGER NOT NULL)`,
  // For existing rows the time begins now.
  `INSERT INTO unclaimed_attachment (attachment_id, since)
   SELECT id, unixepoch() FROM attachment
   WHERE NOT EXISTS (SELECT 1 FROM attachment_message WHERE attachment_id = attachment.id)`,
  `INSERT INTO emptied_topic (topic_id, since)
   SELECT id, unixepoch() FROM topic
   WHERE NOT EXISTS (SELECT 1 FROM message_index AS m WHERE m.topic_id = topic.id AND m.topic_id > 0)`,
  `INSERT INTO job (kind, key, due_at)
   SELECT 'forget-old', '', unixepoch() WHERE EXISTS (SELECT 1 FROM attachment)
     OR EXISTS (SELECT 1 FROM emptied_topic) OR EXISTS (SELECT 1 FROM realm_export) OR EXISTS (SELECT 1 FROM dead_letter)`,
]
