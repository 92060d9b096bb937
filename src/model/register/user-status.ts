import { IdSet } from '../../core/id-set.ts'
import { inParts } from '../../core/in-parts.ts'
import { defineReader } from '../../core/reader.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import { fieldsAsText, itemsOf, listOf, type Section, sectionOf } from '../../core/sections.ts'
import { EXTRA_EMOJI, reactionTypeFor } from '../../events/reaction-type.ts'
import { seesAllUsers } from '../../rules/user-rules.ts'
import { realmPermissions } from '../../store/realm/realm-setting-rows.ts'
import {
  NO_STATUS,
  readStatusesOf,
  readStatusesOfBlock,
  type UserStatus,
} from '../../store/user-status/user-status-rows.ts'
import { openAmong } from '../../store/users/account-set-rows.ts'
import { whoChose } from '../../store/users/chosen-setting-rows.ts'
import { listOpenUsersOfBlock, userBlocks } from '../../store/users/user-block-rows.ts'
import { presentStatusOf } from '../user-status/present-status.ts'
import { seenByGuest } from '../users/visibility/visible-users.ts'
import type { Snapshot } from './snapshot.ts'

/** Key of `user_status`: by user id, of active users who have any status. */
export const userStatusSnapshot: Snapshot = (tx, { user, actor }, { userAgent }) => {
  if (seesAllUsers(actor, realmPermissions(tx.sql))) return { user_status: everybodysStatuses(tx, userAgent) }
  const people = tx.use(statusesForGuest, user.id)
  const presented = people
    .map(({ id, isAway, status }) => [id, presentStatusOf(isAway, status, userAgent)] as const)
    .filter(([, status]) => isAny(status))
  return { user_status: Object.fromEntries(presented) }
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
      const away = whoChose(store.sql, IdSet.of(part), 'presence_enabled', 0)
      const statuses = readStatusesOf(store.sql, part)
      for (const id of openAmong(store.sql, part)) {
        people.push({ id, isAway: away.has(id), status: statuses.get(id) ?? NO_STATUS })
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
  const asked = userBlocks(tx.sql).map((block) => ({ block, userAgent }))
  return listOf(itemsOf(tx.useAll(statusesOfBlock, asked), 0), '{}')
}

const statusesOfBlock = defineReader({
  name: 'statuses',
  key: ({ block, userAgent }: { readonly block: number; readonly userAgent: string }) =>
    `${block} ${reactionTypeFor(EXTRA_EMOJI, userAgent)}`,
  *read({ sql }, { block, userAgent }): Generator<undefined, Section> {
    const users = listOpenUsersOfBlock(sql, block)
    const statuses = readStatusesOfBlock(sql, block)
    yield
    const presented = users.map(
      ([id, , isAway]) =>
        [id, presentStatusOf(isAway === 1, statuses.get(id) ?? NO_STATUS, userAgent)] as const,
    )
    const fields = Object.fromEntries(presented.filter(([, status]) => isAny(status)))
    return sectionOf(`statuses ${block} ${reactionTypeFor(EXTRA_EMOJI, userAgent)}`, [fieldsAsText(fields)])
  },
})
