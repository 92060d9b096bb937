import { CHANGES_OF_COMMIT } from '../../core/budgets.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { CopyPlan } from '../../model/backups/plan-copy.ts'
import { deleteMessages } from '../../model/editing/delete-messages.ts'
import { limitCopy } from '../../store/backups/copy-rows.ts'
import { messagesMovedAway, messagesMovedOut } from '../../store/backups/moved-since-rows.ts'
import { advanceRestore, type RestoreProgress } from '../../store/backups/restoration-rows.ts'
import type { IndexedMessage } from '../../store/messages/message-rows.ts'
import { deleteMeta, readMetaJson } from '../../store/meta-rows.ts'
import type { RestoreWork } from './restore-work.ts'

type At<Stage extends RestoreProgress['stage']> = Extract<RestoreProgress, { stage: Stage }>

/** Makes the filled object what a copy may be. */
export function limitToToday({ sql, storage }: RestoreWork, progress: At<'limit'>): void {
  const { limits, name, facts } = readMetaJson<CopyPlan>(sql, 'copy_plan')!
  storage.transactionSync(() => {
    limitCopy(sql, limits, { name, until: facts.until })
    advanceRestore(sql, progress, { stage: 'take-out' })
  })
}

/** Deletes messages in the copy that are today where not all owners read, though they were elsewhere then. */
export function takeOutMoved({ sql, storage, runtime }: RestoreWork, progress: At<'take-out'>): void {
  const { moved, parted } = readMetaJson<CopyPlan>(sql, 'copy_plan')!.limits
  const { change } = runtime()
  for (const there of moved)
    while (change((tx) => takeOutSome(tx, messagesMovedAway(tx.sql, there, CHANGES_OF_COMMIT))));
  if (parted) while (change((tx) => takeOutSome(tx, messagesMovedOut(tx.sql, parted, CHANGES_OF_COMMIT))));
  storage.transactionSync(() => {
    deleteMeta(sql, 'copy_plan')
    advanceRestore(sql, progress, { stage: 'open' })
  })
}

/** Returns whether there may be more. */
function takeOutSome(tx: RealmTransaction, messages: readonly IndexedMessage[]): boolean {
  for (const together of Map.groupBy(messages, ({ recipientId }) => recipientId).values())
    deleteMessages(tx, together, 'quietly')
  return messages.length > 0
}
