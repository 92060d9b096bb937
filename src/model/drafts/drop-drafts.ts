import { toUsers } from '../../core/audience.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { ChangeIn } from '../../events/event-type.ts'
import type { StoredDraftsEvent } from '../../events/unsent.ts'
import { type Draft, deleteDraftRow, listDrafts } from '../../store/unsent/unsent-rows.ts'
import type { User } from '../../store/users/user-rows.ts'

/** Deletes a user's drafts when they switch to keeping them on the device (docs/interface/settings.md#change-ones-settings). */
export function dropAllDrafts(tx: RealmTransaction, user: User): void {
  for (const draft of listDrafts(tx.sql, user.id)) dropDraft(tx, user, draft)
}

export function dropDraft(tx: RealmTransaction, user: User, { id }: Draft): void {
  deleteDraftRow(tx.sql, id)
  emitDrafts(tx, user, { op: 'remove', draft_id: id })
}

export function emitDrafts(tx: RealmTransaction, user: User, change: ChangeIn<StoredDraftsEvent>): void {
  tx.emit({ type: 'drafts', ...change }, toUsers(user.id))
}
