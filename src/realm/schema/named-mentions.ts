/**
 * Step `named-mentions` of the schema: the bit NAMED_BIT (domain/messages/flags/message-bits.ts). Whether an older mention was by name or
 * through a group is not stored; it counts as one by name.
 */
export const NAMED_MENTION_STATEMENTS: readonly string[] = [
  `UPDATE message_flag SET bits = bits | 1024 WHERE (bits & 4) != 0`,
]
