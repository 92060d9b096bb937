import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { putUnclaimed } from '../../store/uploads/removal-rows.ts'
import { keepForATime } from '../retention/retention.ts'

/** Records that no message links to an upload, which will be deleted unless one does in time. */
export function noteUnclaimed(tx: RealmTransaction, attachmentId: number): void {
  putUnclaimed(tx.sql, attachmentId, tx.now)
  keepForATime(tx)
}
