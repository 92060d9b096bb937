import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { DAY } from '../../core/time.ts'
import { ROLES } from '../../rules/roles.ts'
import { systemGroupId } from '../../rules/system-groups.ts'
import { readMeta, writeMeta } from '../../store/meta-rows.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import type { User } from '../../store/users/user-rows.ts'
import { type ActiveUser, listActive } from '../../store/users/user-summary-rows.ts'
import { actorOf } from '../caller.ts'
import { emitGroupEvent } from '../user-groups/change-group.ts'
import { groupsContaining } from '../user-groups/group-members.ts'
import {
  announceVisibleChannels,
  channelsSeenAs,
  channelsVisibleToGroups,
} from '../visibility/channels-that-a-user-sees.ts'

export const FULL_MEMBERS = systemGroupId('role:fullmembers')

/**
 * Announces the members who have become full members by age since the last announcement, and to them the channels that have become visible.
 * The clock alone decides who is a full member, so nothing else is stored. Returns when the next member becomes one (UNIX seconds). Source:
 * docs/interface/access.md#roles; docs/interface/groups.md#change-a-group.
 */
export function announceFullMembers(tx: RealmTransaction): number | undefined {
  if (realmProperty(tx.sql, 'waiting_period_threshold') === 0) return undefined
  const now = Math.floor(tx.now)
  const announcedUntil = readMeta<number>(tx.sql, 'full_members_announced_until') ?? 0
  const aging = listActive(tx.sql).flatMap((user) => {
    const at = fullMemberAt(tx.sql, user)
    return at === undefined ? [] : [{ user, at }]
  })
  const grown = aging.filter(({ at }) => at > announcedUntil && at <= now)
  if (grown.length > 0) announceFull(tx, grown)
  if (now !== announcedUntil) writeMeta(tx.sql, 'full_members_announced_until', now)
  const next = Math.min(...aging.map(({ at }) => at).filter((at) => at > now))
  return Number.isFinite(next) ? next : undefined
}

/** Schedules the next announcement after the required age has changed and its consequences were announced. */
export function rescheduleFullMembers(tx: RealmTransaction): void {
  tx.unschedule({ kind: 'announce-full-members', key: '' })
  writeMeta(tx.sql, 'full_members_announced_until', Math.floor(tx.now))
  const dueAt = announceFullMembers(tx)
  if (dueAt !== undefined) tx.schedule({ kind: 'announce-full-members', key: '', dueAt })
}

function announceFull(tx: RealmTransaction, grown: readonly { user: ActiveUser; at: number }[]): void {
  const user_ids = grown.map(({ user }) => user.id)
  emitGroupEvent(tx, { op: 'add_members', group_id: FULL_MEMBERS, user_ids })
  const channels = channelsVisibleToGroups(tx, groupsContaining(tx.sql, FULL_MEMBERS))
  for (const { user, at } of grown) {
    const [before, after] = [actorOf(tx.sql, user, at - 1), actorOf(tx.sql, user, tx.now)]
    const [had, has] = channelsSeenAs(tx, before, after, channels)
    announceVisibleChannels(tx, user, had, has)
  }
}

type Aging = Pick<User, 'role' | 'isActive' | 'joinedAt'>

/** Returns when the account reaches the age of a full member (UNIX seconds); undefined where age decides nothing. */
function fullMemberAt(sql: Sql, { role, isActive, joinedAt }: Aging): number | undefined {
  const days = realmProperty(sql, 'waiting_period_threshold')
  return days > 0 && role === ROLES.member && isActive ? joinedAt + days * DAY : undefined
}

/** Schedules the announcement that an account which has just become a member's will be a full member. */
export function scheduleFullMembership(tx: RealmTransaction, user: Aging): void {
  const dueAt = fullMemberAt(tx.sql, user)
  if (dueAt === undefined || dueAt <= tx.now) return
  tx.schedule({ kind: 'announce-full-members', key: '', dueAt })
}
