/**
 * Step `unqualified-emoji`: codes of emoji have no variation selectors any more. Of each table it reads the rows once. No two rows become the
 * same, since a code was written in one way only; a row that did would replace the other.
 */
export const UNQUALIFIED_EMOJI: readonly string[] = ['reaction', 'user_status'].map(
  (table) =>
    `UPDATE OR REPLACE ${table} SET emoji_code = replace(emoji_code, '-fe0f', '')
     WHERE reaction_type = 'unicode_emoji' AND instr(emoji_code, '-fe0f') > 0`,
)
