import { EVERYONE } from '../../core/audience.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredUserGroupEvent } from '../../events/user-group.ts'
import { systemGroupId } from '../../permissions/system-groups.ts'
import { actorOf } from '../caller.ts'
import { readMeta, writeMeta } from '../meta-rows.ts'
import { realmProperty } from '../realm/realm-setting-rows.ts'
import { announceSightOfChannels, channelsInSight } from '../users/channel-sight.ts'
import { listUsers, type User } from '../users/user-rows.ts'
import { fullMemberAt, TELL_FULL_MEMBERS } from './full-member-age.ts'

/**
 * Tells of the members who have become full ones by age since this was done last, and them of the channels
 * that came into sight. Who is a full member follows from the clock alone: only the telling needs to be
 * done. Answers when the next one will be (UNIX seconds). Source: docs/interface/access.md#roles; docs/interface/groups.md#change-a-group.
 */
export function tellFullMembers(tx: RealmTransaction): number | undefined {
  if (realmProperty(tx.sql, 'waiting_period_threshold') === 0) return undefined
  const now = Math.floor(tx.now)
  const toldUntil = readMeta<number>(tx.sql, 'full_members_told_until') ?? 0
  const aging = listUsers(tx.sql).flatMap((user) => {
    const at = fullMemberAt(tx.sql, user)
    return at === undefined ? [] : [{ user, at }]
  })
  const grown = aging.filter(({ at }) => at > toldUntil && at <= now)
  if (grown.length > 0) announceFull(tx, grown)
  if (now !== toldUntil) writeMeta(tx.sql, 'full_members_told_until', now)
  const next = Math.min(...aging.map(({ at }) => at).filter((at) => at > now))
  return Number.isFinite(next) ? next : undefined
}

/** The age has been changed, and who is a full member by the new one has been told: only later ones remain. */
export function awaitFullMembers(tx: RealmTransaction): void {
  tx.unschedule({ kind: TELL_FULL_MEMBERS, key: '' })
  writeMeta(tx.sql, 'full_members_told_until', Math.floor(tx.now))
  const dueAt = tellFullMembers(tx)
  if (dueAt !== undefined) tx.schedule({ kind: TELL_FULL_MEMBERS, key: '', dueAt })
}

function announceFull(tx: RealmTransaction, grown: readonly { user: User; at: number }[]): void {
  const event: StoredUserGroupEvent = {
    type: 'user_group',
    op: 'add_members',
    group_id: systemGroupId('role:fullmembers'),
    user_ids: grown.map(({ user }) => user.id),
  }
  tx.emit(event, EVERYONE)
  for (const { user, at } of grown) {
    const inSightAt = (time: number) => channelsInSight(tx.sql, actorOf(tx.sql, user, time))
    announceSightOfChannels(tx, user, inSightAt(at - 1), inSightAt(tx.now))
  }
}
