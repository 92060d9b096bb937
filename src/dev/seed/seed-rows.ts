import type { WritableSql } from '../../core/sql.ts'

/** A line of the message index, in the order of its columns: see store/messages/message-rows.ts. */
export type IndexLine = readonly [
  id: number,
  recipientId: number,
  topicId: number,
  senderId: number,
  clientId: number,
  sentAt: number,
  bits: number,
]

export function insertIndexLines(sql: WritableSql, lines: readonly IndexLine[]): void {
  sql.run(
    `INSERT INTO message_index (id, recipient_id, topic_id, sender_id, client_id, sent_at, bits)
     SELECT value->>0, value->>1, value->>2, value->>3, value->>4, value->>5, value->>6 FROM json_each(?)`,
    JSON.stringify(lines),
  )
}

/** Sets the first message of each channel that had none before. */
export function noteFirstMessages(sql: WritableSql, firsts: ReadonlyMap<number, number>): void {
  sql.run(
    `UPDATE channel SET first_message_id = (SELECT value->>1 FROM json_each(?1) WHERE value->>0 = channel.id)
     WHERE first_message_id IS NULL AND id IN (SELECT value->>0 FROM json_each(?1))`,
    JSON.stringify([...firsts]),
  )
}
