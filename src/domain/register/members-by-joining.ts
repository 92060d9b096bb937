import type { LoadView, RealmReads } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { ROLES } from '../../permissions/roles.ts'
import { realmProperty } from '../realm/realm-setting-rows.ts'
import { listActive } from '../users/active-user-rows.ts'

/** Ids of members with open accounts, and when they joined in UNIX seconds, the first to join first. */
type MembersByJoining = readonly (readonly [id: number, joinedAt: number])[]

/** The same as it was in an epoch of what is remembered. */
export interface MembersAhead {
  readonly epoch: number
  readonly members: MembersByJoining
}

const KEY = 'when members joined'

/** Whether time alone makes full members: where new ones have to wait. */
export function membersHaveToWait(sql: Sql): boolean {
  return realmProperty(sql, 'waiting_period_threshold') > 0
}

/** Reads the members in a turn of their own, for `load`. Undefined where nobody has to wait, or they are remembered. */
export async function readMembersAhead({
  sql,
  remembered,
  pause,
}: LoadView): Promise<MembersAhead | undefined> {
  if (!membersHaveToWait(sql) || remembered.find(KEY)) return undefined
  const { epoch } = remembered
  const members = listMembers(sql)
  await pause()
  return { epoch, members }
}

/** Returns the members as they are now. */
export function membersByJoining(tx: RealmReads, ahead: MembersAhead | undefined): MembersByJoining {
  const isRight = ahead?.epoch === tx.remembered.epoch
  return tx.remember(KEY, () => (isRight ? ahead.members : listMembers(tx.sql)))
}

function listMembers(sql: Sql): MembersByJoining {
  return listActive(sql)
    .filter(({ role }) => role === ROLES.member)
    .sort((one, other) => one.joinedAt - other.joinedAt)
    .map(({ id, joinedAt }) => [id, joinedAt] as const)
}
