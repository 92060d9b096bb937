import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { DAY } from '../../core/time.ts'
import { uploadDirectory, uploadKey } from '../../store/uploads/upload-key.ts'
import { scheduleRemoval } from './schedule-removal.ts'

/** Seconds that the transfer of a file may take before its bytes are removed. */
const TRANSFER_SECONDS = DAY

/**
 * Reserves a directory for bytes that are being stored. Its content is removed after a day, unless that is
 * cancelled.
 */
export function reserveUpload(tx: RealmTransaction, fileId = tx.randomHex(16)): string {
  const directory = uploadDirectory(tx.realm.id, fileId)
  scheduleRemoval(tx, uploadKey(directory), tx.now + TRANSFER_SECONDS)
  return directory
}
