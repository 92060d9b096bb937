import { EVERYONE } from '../../core/audience.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import type { PresentedEmoji, StoredRealmEmojiEvent } from '../../events/realm-emoji.ts'
import { listCustomEmoji } from './custom-emoji-rows.ts'

/** The organization's emoji by id, deactivated ones included. Source: docs/interface/register.md#what-the-snapshot-has. */
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

/** Tells everybody all of them (docs/interface/events.md#events-about-the-organization). */
export function announceCustomEmoji(tx: RealmTransaction): void {
  const event: StoredRealmEmojiEvent = {
    type: 'realm_emoji',
    op: 'update',
    realm_emoji: presentCustomEmoji(tx.sql),
  }
  tx.emit(event, EVERYONE)
}
