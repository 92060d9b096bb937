import { listInBlocks } from '../../core/blocks.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import { EXTRA_EMOJI, reactionTypeFor } from '../../events/reaction-type.ts'
import { seesAllUsers } from '../../permissions/user-rules.ts'
import { realmPermissions } from '../realm/realm-setting-rows.ts'
import { presentStatus } from '../user-status/present-status.ts'
import {
  NO_STATUS,
  readStatuses,
  readStatusesBetween,
  type UserStatus,
} from '../user-status/user-status-rows.ts'
import { findUsers, listUsersBetween, type User } from '../users/user-rows.ts'
import { visibleUsers } from '../users/visibility/visible-users.ts'
import type { Snapshot } from './snapshot.ts'
import { partsOf, usersInBlocks } from './users-in-blocks.ts'

/** Key of `user_status`: by user id, of active users who have any status. */
export const userStatusSnapshot: Snapshot = (tx, caller, { userAgent }) => {
  if (seesAllUsers(caller.actor, realmPermissions(tx.sql))) {
    return { user_status: everybodysStatuses(tx, userAgent) }
  }
  const statuses = readStatuses(tx.sql)
  const users = [
    ...findUsers(
      tx.sql,
      [...statuses.keys()].sort((a, b) => a - b),
    ).values(),
  ]
  const visible = visibleUsers(
    tx,
    caller,
    users.filter(({ isSystemBot }) => !isSystemBot),
  )
  return { user_status: Object.fromEntries(presentStatuses(visible, statuses, userAgent)) }
}

function everybodysStatuses(tx: RealmReads, userAgent: string) {
  const blocks = usersInBlocks(tx.sql, {
    kind: 'statuses',
    family: `statuses with ${reactionTypeFor(EXTRA_EMOJI, userAgent)}`,
    make(first, last) {
      const users = listUsersBetween(tx.sql, first, last)
      const statuses = presentStatuses(users, readStatusesBetween(tx.sql, first, last), userAgent)
      return [statuses.map(([id, status]) => `,"${id}":${JSON.stringify(status)}`).join('')]
    },
  })
  return listInBlocks(partsOf(blocks, 0), '{}')
}

function presentStatuses(
  users: readonly User[],
  statuses: ReadonlyMap<number, UserStatus>,
  userAgent: string,
): (readonly [number, object])[] {
  return users
    .filter(({ isActive }) => isActive)
    .map((user) => [user.id, presentStatus(user, statuses.get(user.id) ?? NO_STATUS, userAgent)] as const)
    .filter(([, status]) => Object.keys(status).length > 0)
}
