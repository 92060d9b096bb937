import { listInBlocks, MadeLater } from '../../core/blocks.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import { EXTRA_EMOJI, reactionTypeFor } from '../../events/reaction-type.ts'
import { presentStatus, presentStatusOf } from '../user-status/present-status.ts'
import { statusesOf } from '../user-status/statuses-ahead.ts'
import {
  NO_STATUS,
  readStatusesBetween,
  type UserStatus,
  unpackedStatuses,
} from '../user-status/user-status-rows.ts'
import { usersHidingPresence } from '../users/user-id-rows.ts'
import { listUsersBetween, type User } from '../users/user-rows.ts'
import { peopleSeenBy } from './present-directory.ts'
import type { Snapshot } from './snapshot.ts'
import { partsOf, usersInBlocks } from './users-in-blocks.ts'

/** Key of `user_status`: by user id, of active users who have any status. */
export const userStatusSnapshot: Snapshot = (tx, caller, options) => {
  const { userAgent, statuses } = options
  const people = peopleSeenBy(tx, caller, options)
  if (!people) return { user_status: everybodysStatuses(tx, userAgent) }
  const open = people.filter(({ isActive, isSeen }) => isActive && isSeen)
  const ids = new Set(open.map(({ id }) => id))
  const packed = statusesOf(tx.sql, [...ids], statuses)
  const away = new Set(usersHidingPresence(tx.sql))
  const present = () =>
    Object.fromEntries(
      unpackedStatuses(packed)
        .filter(([id]) => ids.has(id))
        .map(([id, status]) => [id, presentStatusOf(away.has(id), status, userAgent)] as const)
        .filter(([, status]) => isAny(status)),
    )
  return { user_status: new MadeLater(ids.size, present) }
}

function isAny(presented: object): boolean {
  return Object.keys(presented).length > 0
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
    .filter(([, status]) => isAny(status))
}
