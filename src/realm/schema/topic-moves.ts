/**
 * Step `topic-moves` of the schema: a topic that moves as a whole within its channel keeps its row, and its
 * messages theirs; the move is one row of message_move (domain/messages/move/message-move-rows.ts).
 */
export const TOPIC_MOVE_STATEMENTS: readonly string[] = [
  // For a whole topic's move: the topic, and the id of its newest message then.
  `ALTER TABLE message_move ADD COLUMN topic_id INTEGER`,
  `ALTER TABLE message_move ADD COLUMN up_to INTEGER`,
  // For moves of single messages: their former topic, and its spelling in their own rows. NULL for moves
  // before this step, when topics did not move as a whole.
  `ALTER TABLE message_move ADD COLUMN from_topic_id INTEGER`,
  `ALTER TABLE message_move ADD COLUMN from_spelling TEXT`,
  // When the messages count as moved by it; NULL where the topic was only resolved, and for moves before this
  // step.
  `ALTER TABLE message_move ADD COLUMN moved_at INTEGER`,
  `CREATE INDEX message_move_by_topic ON message_move (topic_id) WHERE topic_id IS NOT NULL`,
  // The last of the topic's own moves, and its up_to: messages that took part in it have the topic's
  // spelling.
  `ALTER TABLE topic ADD COLUMN move_id INTEGER`,
  `ALTER TABLE topic ADD COLUMN moved_up_to INTEGER`,
]
