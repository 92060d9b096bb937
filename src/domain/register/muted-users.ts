import { listMutedUsers } from '../muted-users/muted-user-rows.ts'
import type { Snapshot } from './snapshot.ts'

/** Key of `muted_users`: whom the caller has muted. */
export const mutedUsersSnapshot: Snapshot = (tx, { user }) => ({
  muted_users: listMutedUsers(tx.sql, user.id),
})
