import { EVERYONE } from '../../core/audience.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredRealmEmojiEvent } from '../../events/realm-emoji.ts'
import { presentCustomEmoji } from '../../model/emoji/present-custom-emoji.ts'

/**
 * Emits the change of one custom emoji to everybody (docs/interface/events.md#events-about-the-organization).
 */
export function announceCustomEmoji(tx: RealmTransaction, id: number): void {
  const realm_emoji = presentCustomEmoji(tx.sql)
  const event: StoredRealmEmojiEvent = {
    type: 'realm_emoji',
    op: 'update',
    realm_emoji,
    changed: realm_emoji[id]!,
  }
  tx.emit(event, EVERYONE)
}
