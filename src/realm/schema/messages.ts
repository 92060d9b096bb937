/** Tables of the message index and of what belongs to messages. A part of step 1 of the schema. */
export const MESSAGE_TABLES: readonly string[] = [
  // The message index (docs/decisions/design.md#no-row-for-each-recipient). recipient_id: see core/recipient-id.ts; topic_id is 0 in a direct
  // conversation; bits: domain/messages/flags/message-bits.ts; version counts content edits.
  `CREATE TABLE message_index (
        id INTEGER PRIMARY KEY,
        recipient_id INTEGER NOT NULL,
        topic_id INTEGER NOT NULL,
        sender_id INTEGER NOT NULL,
        client_id INTEGER NOT NULL,
        sent_at INTEGER NOT NULL,
        bits INTEGER NOT NULL,
        version INTEGER NOT NULL DEFAULT 0,
        edited_at INTEGER,
        moved_at INTEGER,
        -- The last of its moves, in message_move; most messages have none.
        move_id INTEGER,
        send_key TEXT
      )`,
  `CREATE INDEX message_by_recipient ON message_index (recipient_id)`,
  `CREATE INDEX message_by_topic ON message_index (topic_id) WHERE topic_id > 0`,
  // A wildcard mention is a bit of the message; without this index, finding one's mentions reads all
  // messages.
  `CREATE INDEX message_by_wildcard ON message_index (id) WHERE (bits & 32) != 0`,
  // Moves to another topic or channel: a row for each group of messages that were moved together and have had
  // the same moves before (previous_id). runs: only for moves between channels, see
  // domain/messages/move/message-move-rows.ts.
  `CREATE TABLE message_move (
        id INTEGER PRIMARY KEY,
        previous_id INTEGER,
        user_id INTEGER NOT NULL,
        at INTEGER NOT NULL,
        seq INTEGER NOT NULL,
        prev_topic TEXT,
        topic TEXT,
        prev_channel_id INTEGER,
        channel_id INTEGER,
        subscribers_received INTEGER NOT NULL DEFAULT 0,
        runs TEXT
      )`,
  `CREATE INDEX message_move_by_channel ON message_move (channel_id) WHERE runs IS NOT NULL`,
  // Messages to be sent later, by due job. Failed ones wait for their author; of sent ones only the id
  // remains.
  `CREATE TABLE scheduled_message (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        user_id INTEGER NOT NULL,
        state TEXT NOT NULL DEFAULT 'pending',
        destination TEXT NOT NULL,
        content TEXT NOT NULL,
        rendered_content TEXT NOT NULL,
        due_at INTEGER NOT NULL,
        client TEXT NOT NULL,
        origin TEXT NOT NULL,
        read_by_sender INTEGER NOT NULL
      )`,
  `CREATE INDEX scheduled_message_by_user ON scheduled_message (user_id) WHERE state <> 'sent'`,
  // Only sends with a key pay for this one.
  `CREATE INDEX message_by_send_key ON message_index (send_key) WHERE send_key IS NOT NULL`,
  // Sparse personal flags, which cannot be derived from periods and read ranges.
  `CREATE TABLE message_flag (
        user_id INTEGER NOT NULL, message_id INTEGER NOT NULL, bits INTEGER NOT NULL,
        PRIMARY KEY (user_id, message_id)
      ) WITHOUT ROWID`,
  `CREATE INDEX message_flag_by_message ON message_flag (message_id)`,
  // Read ids above user.read_floor: one bit an id, 4,096 ids a block.
  `CREATE TABLE read_block (
        user_id INTEGER NOT NULL, block INTEGER NOT NULL, ids BLOB NOT NULL, PRIMARY KEY (user_id, block)
      ) WITHOUT ROWID`,
  `CREATE TABLE reaction (
        message_id INTEGER NOT NULL,
        reaction_type TEXT NOT NULL,
        emoji_code TEXT NOT NULL,
        user_id INTEGER NOT NULL,
        emoji_name TEXT NOT NULL,
        seq INTEGER NOT NULL,
        PRIMARY KEY (message_id, reaction_type, emoji_code, user_id)
      ) WITHOUT ROWID`,
]
