import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { HOUR } from '../../core/time.ts'
import { type Attachment, deleteAttachmentRow } from '../../store/uploads/attachment-rows.ts'
import { uploadKey } from '../../store/uploads/upload-key.ts'
import { noteGoneFile } from '../exports/note-gone.ts'
import { announceAttachments } from './announce-attachment.ts'
import { changeUploadSpaceUsed } from './change-upload-space.ts'
import { scheduleRemoval } from './schedule-removal.ts'
import { hasThumbnails, thumbnailsOf } from './thumbnail-formats.ts'

/** Seconds that making a smaller form of a picture takes at most. */
const MAKING_SECONDS = HOUR

/** Deletes an upload with its bytes, and notifies its owner. Messages keep the dead link. */
export function discardAttachment(tx: RealmTransaction, attachment: Attachment): void {
  removeAttachment(tx, attachment)
  announceAttachments(tx, 'remove', [attachment])
}

/** Deletes an upload that no client knows yet, with its bytes. */
export function removeAttachment(tx: RealmTransaction, attachment: Attachment): void {
  noteGoneFile(tx)
  deleteAttachmentRow(tx.sql, attachment.id)
  changeUploadSpaceUsed(tx.sql, -attachment.size)
  const key = uploadKey(attachment.path)
  scheduleRemoval(tx, key, tx.now)
  // Removed again later, since a smaller form that is being made just now would be stored after the first
  // removal.
  if (attachment.image && hasThumbnails(attachment.image)) {
    scheduleRemoval(tx, thumbnailsOf(key), tx.now + MAKING_SECONDS)
  }
}
