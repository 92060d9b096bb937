import { presentStatus } from '../user-status/present-status.ts'
import { NO_STATUS, readStatuses } from '../user-status/user-status-rows.ts'
import { listUsers } from '../users/user-rows.ts'
import { visibleUsers } from '../users/visible-users.ts'
import type { Snapshot } from './snapshot.ts'

/** Key of `user_status`: by user id, of active users who have any status. */
export const userStatusSnapshot: Snapshot = (tx, caller, { userAgent }) => {
  const statuses = readStatuses(tx.sql)
  const users = listUsers(tx.sql).filter(({ isActive }) => isActive)
  const presented = visibleUsers(tx, caller, users).map(
    (user) => [user.id, presentStatus(user, statuses.get(user.id) ?? NO_STATUS, userAgent)] as const,
  )
  return {
    user_status: Object.fromEntries(presented.filter(([, status]) => Object.keys(status).length > 0)),
  }
}
