/** Step `webhook-calls-by-message` of the schema: a deleted message deletes its calls, and the texts of all that wait may be 200 MB. */
export const WEBHOOK_CALL_STATEMENTS: readonly string[] = [
  `CREATE INDEX webhook_call_by_message ON webhook_call (message ->> '$.id')`,
]
