/** The message index and what belongs to messages. */
export const MESSAGE_TABLES: readonly string[] = [
  // Names of sending clients.
  `CREATE TABLE client (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)`,
  // The message index (docs/decisions/design.md#no-row-for-each-recipient). recipient_id: see core/recipient-id.ts; topic_id is 0 in a direct
  // conversation; bits: store/messages/flags/message-bits.ts; version counts content edits; move_id: the last of its moves, in
  // message_move, most messages have none; topic_spelling: NULL for the topic's own.
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
    move_id INTEGER,
    send_key TEXT,
    topic_spelling TEXT
  )`,
  `CREATE INDEX message_by_recipient ON message_index (recipient_id)`,
  `CREATE INDEX message_by_topic ON message_index (topic_id) WHERE topic_id > 0`,
  // A wildcard mention is a bit of the message; without this index, finding one's mentions reads all messages.
  `CREATE INDEX message_by_wildcard ON message_index (id) WHERE (bits & 32) != 0`,
  // Only sends with a key pay for this one.
  `CREATE INDEX message_by_send_key ON message_index (send_key) WHERE send_key IS NOT NULL`,
  // For finding whether anything still refers to a move. Only moved messages pay for it.
  `CREATE INDEX message_by_move ON message_index (move_id) WHERE move_id IS NOT NULL`,
  // Moves to another topic or channel: a row for each group of messages that were moved together and have had the same moves before
  // (previous_id); see store/messages/move/message-move-rows.ts. ranges: only for moves between channels. topic_id, up_to: of a topic that
  // moved as a whole, which keeps its row, as its messages keep theirs; the id of its newest message then. from_topic_id, from_spelling: of
  // moves of single messages, their former topic, and its spelling in their own rows. moved_at: when the messages count as moved by it;
  // NULL where the topic was only resolved. forgotten, 1: no message is left whose history has it; its names and topics are deleted
  // (model/editing/delete-messages.ts).
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
    ranges TEXT,
    topic_id INTEGER,
    up_to INTEGER,
    from_topic_id INTEGER,
    from_spelling TEXT,
    moved_at INTEGER,
    forgotten INTEGER
  )`,
  `CREATE INDEX message_move_by_channel ON message_move (channel_id) WHERE ranges IS NOT NULL`,
  `CREATE INDEX message_move_by_topic ON message_move (topic_id) WHERE topic_id IS NOT NULL`,
  `CREATE INDEX message_move_by_previous ON message_move (previous_id) WHERE previous_id IS NOT NULL`,
  `CREATE INDEX message_move_by_origin ON message_move (from_topic_id) WHERE from_topic_id IS NOT NULL`,
  // Sparse personal flags, which cannot be derived from periods and read ranges.
  `CREATE TABLE message_flag (
    user_id INTEGER NOT NULL,
    message_id INTEGER NOT NULL,
    bits INTEGER NOT NULL,
    PRIMARY KEY (user_id, message_id)
  ) WITHOUT ROWID`,
  `CREATE INDEX message_flag_by_message ON message_flag (message_id)`,
  // Read ids above user.read_floor: one bit an id, 4,096 ids a block.
  `CREATE TABLE read_block (
    user_id INTEGER NOT NULL,
    block INTEGER NOT NULL,
    ids BLOB NOT NULL,
    PRIMARY KEY (user_id, block)
  ) WITHOUT ROWID`,
  // The people for whom a notice that a topic was resolved arrived unread, one bit an account, 4,096 accounts a block. It arrived read for all
  // others.
  `CREATE TABLE unread_notice (
    message_id INTEGER NOT NULL,
    block INTEGER NOT NULL,
    user_ids BLOB NOT NULL,
    PRIMARY KEY (message_id, block)
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
  // Entries to polls and to-do lists, in order; message_index.bits says which have any.
  `CREATE TABLE submessage (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    message_id INTEGER NOT NULL,
    sender_id INTEGER NOT NULL,
    msg_type TEXT NOT NULL,
    content TEXT NOT NULL
  )`,
  `CREATE INDEX submessage_by_message ON submessage (message_id)`,
  // For each block of 4,096 message ids that is full, which of them are a sender's, and which have a link, an image, …
  // (store/messages/message-posting-rows.ts). A row or so for a hundred messages, written by a job, in place of an index that costs a row
  // for every send.
  `CREATE TABLE message_posting (
    key INTEGER NOT NULL,
    block INTEGER NOT NULL,
    ids BLOB NOT NULL,
    PRIMARY KEY (key, block)
  ) WITHOUT ROWID`,
]
