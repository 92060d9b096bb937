import { EVERYONE } from '../../core/audience.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredChannelFolderEvent } from '../../events/channel-folder.ts'

/** Folders are everybody's (events 4). */
export function emitFolderEvent(tx: RealmTransaction, event: StoredChannelFolderEvent): void {
  tx.emit(event, EVERYONE)
}
