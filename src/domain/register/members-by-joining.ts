import { defineReader } from '../../core/reader.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import { itemsAsText, type Section, sectionOf } from '../../core/sections.ts'
import type { Sql } from '../../core/sql.ts'
import { DAY } from '../../core/time.ts'
import { ROLES } from '../../permissions/roles.ts'
import { realmProperty } from '../realm/realm-setting-rows.ts'
import { listActive } from '../users/active-user-rows.ts'

/** Whether time alone makes full members: where new ones have to wait. */
export function membersHaveToWait(sql: Sql): boolean {
  return realmProperty(sql, 'waiting_period_threshold') > 0
}

/** Returns the ids of members that are full ones by now, ascending: made again once there is another one. */
export function fullMembers(tx: Pick<RealmReads, 'sql' | 'now' | 'use'>): Section {
  const latest = tx.now - realmProperty(tx.sql, 'waiting_period_threshold') * DAY
  const joined = tx.use(membersByJoining, undefined)
  const waiting = joined.findIndex(([, joinedAt]) => joinedAt > latest)
  return tx.use(firstMembers, waiting < 0 ? joined.length : waiting)
}

/** Ids of members with open accounts, and when they joined in UNIX seconds, the first to join first. */
const membersByJoining = defineReader({
  name: 'members by joining',
  key: () => '',
  *read({ sql }) {
    const members = listActive(sql).filter(({ role }) => role === ROLES.member)
    yield
    return members
      .sort((one, other) => one.joinedAt - other.joinedAt)
      .map(({ id, joinedAt }) => [id, joinedAt] as const)
  },
})

const firstMembers = defineReader({
  name: 'first members',
  key: (count: number) => `${count}`,
  *read(store, count) {
    const joined = yield* store.use(membersByJoining, undefined)
    const ids = joined
      .slice(0, count)
      .map(([id]) => id)
      .sort((one, other) => one - other)
    return sectionOf('full members', [itemsAsText(ids)])
  },
})
