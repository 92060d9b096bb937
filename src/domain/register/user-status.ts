import { listInBlocks, MadeLater } from '../../core/blocks.ts'
import { inParts } from '../../core/in-parts.ts'
import { defineReader } from '../../core/reader.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import { EXTRA_EMOJI, reactionTypeFor } from '../../events/reaction-type.ts'
import { seesAllUsers } from '../../permissions/user-rules.ts'
import { realmPermissions } from '../realm/realm-setting-rows.ts'
import { presentStatus, presentStatusOf } from '../user-status/present-status.ts'
import {
  NO_STATUS,
  readStatusesBetween,
  readStatusesOf,
  type UserStatus,
} from '../user-status/user-status-rows.ts'
import { activeUsersWithSettingOn, openAccountIdsAmong } from '../users/user-id-rows.ts'
import { listUsersBetween, type User } from '../users/user-rows.ts'
import { seenByGuest } from '../users/visibility/visible-users.ts'
import type { Snapshot } from './snapshot.ts'
import { partsOf, usersInBlocks } from './users-in-blocks.ts'

/** Key of `user_status`: by user id, of active users who have any status. */
export const userStatusSnapshot: Snapshot = (tx, { user, actor }, { userAgent }) => {
  if (seesAllUsers(actor, realmPermissions(tx.sql))) return { user_status: everybodysStatuses(tx, userAgent) }
  const people = tx.use(statusesForGuest, user.id)
  const present = () =>
    Object.fromEntries(
      people
        .map(({ id, isAway, status }) => [id, presentStatusOf(isAway, status, userAgent)] as const)
        .filter(([, status]) => isAny(status)),
    )
  return { user_status: new MadeLater(people.length, present) }
}

const USERS_AT_A_TIME = 1_000

/** The statuses of those with open accounts whom a guest sees who does not see everybody. */
const statusesForGuest = defineReader({
  name: 'statuses for a guest',
  key: (guestId: number) => `${guestId}`,
  *read(store, guestId) {
    const seen = yield* store.use(seenByGuest, guestId)
    const people: { id: number; isAway: boolean; status: UserStatus }[] = []
    for (const part of inParts([...seen], USERS_AT_A_TIME)) {
      const shown = new Set(activeUsersWithSettingOn(store.sql, part, 'presence_enabled'))
      const statuses = readStatusesOf(store.sql, part)
      for (const id of openAccountIdsAmong(store.sql, part)) {
        people.push({ id, isAway: !shown.has(id), status: statuses.get(id) ?? NO_STATUS })
      }
      yield
    }
    return people
  },
})

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
