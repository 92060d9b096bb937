import type { Rewrite } from './rewrites.ts'

/**
 * Step `unqualified-emoji`: codes of emoji have no variation selectors any more. No two rows become the same, since a code was written in one
 * way only; a row that did would replace the other.
 */
function unqualified(table: 'reaction' | 'user_status'): string {
  return `UPDATE OR REPLACE ${table} SET emoji_code = replace(emoji_code, '-fe0f', '')
     WHERE reaction_type = 'unicode_emoji' AND instr(emoji_code, '-fe0f') > 0`
}

export const UNQUALIFIED_STATUSES: readonly string[] = [unqualified('user_status')]

export const UNQUALIFIED_REACTIONS: Rewrite = {
  step: 6,
  table: 'reaction',
  keys: ['message_id', 'reaction_type', 'emoji_code', 'user_id'],
  statement: unqualified('reaction'),
}
