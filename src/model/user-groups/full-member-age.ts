import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { DAY } from '../../core/time.ts'
import { ROLES } from '../../rules/roles.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import type { User } from '../../store/users/user-rows.ts'

/** The job that announces who has become a full member by age. */
export const ANNOUNCE_FULL_MEMBERS = 'announce-full-members'

type Aging = Pick<User, 'role' | 'isActive' | 'joinedAt'>

/**
 * Returns the time at which the account has the age of a full member (UNIX seconds); undefined where age
 * decides nothing.
 */
export function fullMemberAt(sql: Sql, { role, isActive, joinedAt }: Aging): number | undefined {
  const days = realmProperty(sql, 'waiting_period_threshold')
  return days > 0 && role === ROLES.member && isActive ? joinedAt + days * DAY : undefined
}

/**
 * Schedules the announcement of an account's full membership, when the account has just become a member's.
 */
export function scheduleFullMembership(tx: RealmTransaction, user: Aging): void {
  const dueAt = fullMemberAt(tx.sql, user)
  if (dueAt === undefined || dueAt <= tx.now) return
  tx.schedule({ kind: ANNOUNCE_FULL_MEMBERS, key: '', dueAt })
}
