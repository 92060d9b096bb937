import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { deleteChunks, deleteResumableUpload } from '../../store/uploads/resumable-upload-rows.ts'
import { uploadKey } from '../../store/uploads/upload-key.ts'
import { scheduleRemoval } from './schedule-removal.ts'

/** The job that ends an upload whose time is over; its key is the upload's. */
export const EXPIRE_RESUMABLE_UPLOAD = 'expire-resumable-upload'

/** Deletes a resumable upload with its chunks. The file that was made from it stays. */
export function forgetResumableUpload(tx: RealmTransaction, id: string): undefined {
  removeChunks(tx, id)
  deleteResumableUpload(tx.sql, id)
}

/** Removes chunks from there on. */
export function removeChunks(tx: RealmTransaction, id: string, from = 0): void {
  for (const directory of deleteChunks(tx.sql, id, from)) scheduleRemoval(tx, uploadKey(directory), tx.now)
}
