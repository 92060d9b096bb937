/**
 * Step `forgotten-moves` of the schema: moves are forgotten with their messages
 * (domain/messages/edit/forget-moves.ts).
 */
export const FORGOTTEN_MOVE_STATEMENTS: readonly string[] = [
  // 1: no message is left whose history has it; its names and topics are deleted.
  `ALTER TABLE message_move ADD COLUMN forgotten INTEGER`,
  // For finding whether anything still refers to a move. Only moved messages pay for it.
  `CREATE INDEX message_by_move ON message_index (move_id) WHERE move_id IS NOT NULL`,
  `CREATE INDEX message_move_by_previous ON message_move (previous_id) WHERE previous_id IS NOT NULL`,
  `CREATE INDEX message_move_by_origin ON message_move (from_topic_id) WHERE from_topic_id IS NOT NULL`,
]
