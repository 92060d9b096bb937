import { toUsers } from '../../core/audience.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredAttachmentEvent } from '../../events/attachment.ts'
import type { Attachment } from './attachment-rows.ts'
import { presentAttachment } from './present-attachment.ts'
import { uploadSpaceUsed } from './upload-space.ts'

/**
 * Notifies the owner of a change of an upload. Source:
 * docs/interface/events.md#events-about-what-is-ones-own.
 */
export function announceAttachment(
  tx: RealmTransaction,
  op: StoredAttachmentEvent['op'],
  attachment: Attachment,
): void {
  const event: StoredAttachmentEvent = {
    type: 'attachment',
    op,
    attachment: op === 'remove' ? { id: attachment.id } : { ...presentAttachment(tx, attachment) },
    upload_space_used: uploadSpaceUsed(tx.sql),
  }
  tx.emit(event, toUsers(attachment.ownerId))
}
