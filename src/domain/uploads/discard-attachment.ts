import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { announceAttachment } from './announce-attachment.ts'
import { type Attachment, deleteAttachmentRow } from './attachment-rows.ts'
import { scheduleRemoval } from './removal-rows.ts'
import { uploadKey } from './upload-file.ts'
import { changeUploadSpaceUsed } from './upload-space.ts'

/** Takes an upload away, its bytes too, and tells its owner. Messages keep the dead link. */
export function discardAttachment(tx: RealmTransaction, attachment: Attachment): void {
  deleteAttachmentRow(tx.sql, attachment.id)
  changeUploadSpaceUsed(tx.sql, -attachment.size)
  scheduleRemoval(tx, uploadKey(attachment.path), tx.now)
  announceAttachment(tx, 'remove', attachment)
}
