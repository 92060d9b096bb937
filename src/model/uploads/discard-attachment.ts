import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { HOUR } from '../../core/time.ts'
import { type Attachment, deleteAttachmentRow } from '../../store/uploads/attachment-rows.ts'
import { enqueueRemoval, REMOVE_FILES } from '../../store/uploads/removal-rows.ts'
import { uploadKey } from '../../store/uploads/upload-key.ts'
import { noteGoneFile } from '../exports/note-gone.ts'
import { announceAttachments } from './announce-attachment.ts'
import { hasThumbnails, thumbnailsOf } from './upload-address.ts'
import { changeUploadSpaceUsed } from './upload-space.ts'

/** Limit of the seconds that it takes to make a smaller form of a picture. */
const MAKING_SECONDS = HOUR

/** Deletes an upload with its bytes, and notifies its owner. Links in messages stay. */
export function discardAttachment(tx: RealmTransaction, attachment: Attachment): void {
  removeAttachment(tx, attachment)
  announceAttachments(tx, 'remove', [attachment])
}

/** Deletes an upload with its bytes, without an event. */
export function removeAttachment(tx: RealmTransaction, attachment: Attachment): void {
  noteGoneFile(tx)
  deleteAttachmentRow(tx.sql, attachment.id)
  changeUploadSpaceUsed(tx.sql, -attachment.size)
  const key = uploadKey(attachment.path)
  scheduleRemoval(tx, key, tx.now)
  // A smaller form that is being made now would be stored after the first removal.
  if (attachment.image && hasThumbnails(attachment.image)) {
    scheduleRemoval(tx, thumbnailsOf(key), tx.now + MAKING_SECONDS)
  }
}

/** Schedules the removal of a file from R2 at `dueAt` (UNIX seconds), which can be cancelled. */
export function scheduleRemoval(tx: RealmTransaction, key: string, dueAt: number): void {
  enqueueRemoval(tx.sql, key, dueAt)
  tx.schedule({ kind: REMOVE_FILES, key: '', dueAt })
}
