/** Step `webhook-calls-by-message` of the schema: a deleted message deletes its calls, and the texts of all that wait may be 200 MB. */
export const WEBHOOK_CALL_STATEMENTS: readonly string[] = [
  `CREATE INDEX webhook_call_by_message ON webhook_call (message ->> '$.id')`,
]

/** Step `texts-of-webhook-calls` of the schema: a message may call a hundred bots, and its text is stored with the call of one of them. */
export const SHARED_WEBHOOK_TEXT_STATEMENTS: readonly string[] = [
  // The call whose row has the text of this one's message; null: its own.
  `ALTER TABLE webhook_call ADD COLUMN text_in INTEGER`,
  `CREATE INDEX webhook_call_by_text ON webhook_call (text_in) WHERE text_in IS NOT NULL`,
]
