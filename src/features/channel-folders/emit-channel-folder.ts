import { EVERYONE } from '../../core/audience.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredChannelFolderEvent } from '../../events/channel-folder.ts'

/**
 * Emits an event to everybody, since folders are everybody's
 * (docs/interface/events.md#events-about-channels-and-groups).
 */
export function emitFolderEvent(tx: RealmTransaction, event: StoredChannelFolderEvent): void {
  tx.emit(event, EVERYONE)
}
