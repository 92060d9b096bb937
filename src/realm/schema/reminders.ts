/**
 * Step `reminders-without-quotes` of the schema: a reminder keeps its owner's note, and quotes the message's
 * text at delivery. Quotations are removed from earlier ones; notes stay.
 */
const NOTE = `' Note:' || char(10) || ' > '`
const FIRST_PARAGRAPH = `substr(content, 1, instr(content || char(10) || char(10), char(10) || char(10)) - 1)`

export const REMINDER_STATEMENTS: readonly string[] = [
  `ALTER TABLE reminder ADD COLUMN note TEXT NOT NULL DEFAULT ''`,
  `UPDATE reminder SET content = ${FIRST_PARAGRAPH}`,
  `UPDATE reminder SET note = CASE WHEN instr(content, ${NOTE}) = 0 THEN ''
     ELSE replace(substr(content, instr(content, ${NOTE}) + length(${NOTE})), char(10) || ' > ', char(10)) END`,
  `UPDATE reminder SET rendered_content =
     '<p>' || replace(replace(replace(content, '&', '&amp;'), '<', '&lt;'), '>', '&gt;') || '</p>'`,
  // A deleted message deletes its reminders.
  `CREATE INDEX reminder_by_message ON reminder (message_id)`,
]
