/**
 * Step `topic-moves` of the schema: a topic that moves as a whole within its channel keeps its row and its messages theirs;
 * what happened to them is one row of message_move (domain/messages/topic-move-rows.ts).
 */
export const TOPIC_MOVE_STATEMENTS: readonly string[] = [
  // Of a whole topic's move: the topic, and the id of its newest message then.
  `ALTER TABLE message_move ADD COLUMN topic_id INTEGER`,
  `ALTER TABLE message_move ADD COLUMN up_to INTEGER`,
  // Of single messages' moves: where they were before, and how their own rows spelled that topic. NULL for moves
  // before this step: there was nothing then that a topic had instead of its messages.
  `ALTER TABLE message_move ADD COLUMN from_topic_id INTEGER`,
  `ALTER TABLE message_move ADD COLUMN from_spelling TEXT`,
  // When the messages count as moved by it; NULL where the topic was only resolved, and for moves before this step.
  `ALTER TABLE message_move ADD COLUMN moved_at INTEGER`,
  `CREATE INDEX message_move_by_topic ON message_move (topic_id) WHERE topic_id IS NOT NULL`,
  // The last of the topic's own moves, and its up_to: messages that took part in it are spelled as the topic is.
  `ALTER TABLE topic ADD COLUMN move_id INTEGER`,
  `ALTER TABLE topic ADD COLUMN moved_up_to INTEGER`,
]
