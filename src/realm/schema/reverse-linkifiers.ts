import { REVERSE_LINKIFIER_QUOTA_STATEMENTS } from './quotas.ts'

/** Step `reverse-linkifiers` of the schema: how a client makes the text from an address that was pasted. */
export const REVERSE_LINKIFIER_STATEMENTS: readonly string[] = [
  `ALTER TABLE linkifier ADD COLUMN example_input TEXT`,
  `ALTER TABLE linkifier ADD COLUMN reverse_template TEXT`,
  // JSON: a list; NULL: none.
  `ALTER TABLE linkifier ADD COLUMN alternative_url_templates TEXT`,
  ...REVERSE_LINKIFIER_QUOTA_STATEMENTS,
]
