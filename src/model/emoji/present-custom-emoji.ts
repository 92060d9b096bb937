import type { Sql } from '../../core/sql.ts'
import type { PresentedEmoji } from '../../events/realm-lists.ts'
import { listCustomEmoji } from '../../store/emoji/custom-emoji-rows.ts'

/**
 * Returns the organization's emoji by id, deactivated ones included. Source:
 * docs/interface/register.md#what-the-snapshot-has.
 */
export function presentCustomEmoji(sql: Sql): Record<string, PresentedEmoji> {
  return Object.fromEntries(
    listCustomEmoji(sql).map((emoji) => [
      String(emoji.id),
      {
        id: String(emoji.id),
        name: emoji.name,
        source_url: emoji.path,
        still_url: emoji.stillPath,
        deactivated: emoji.isDeactivated,
        author_id: emoji.authorId,
      },
    ]),
  )
}
