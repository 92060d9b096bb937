import type { ReadCommand, Walks } from '../../../core/command.ts'
import type { RealmReads, RealmView } from '../../../core/realm-transaction.ts'
import type { Sql } from '../../../core/sql.ts'
import type { Role } from '../../../permissions/roles.ts'
import { seesAllUsers } from '../../../permissions/user-rules.ts'
import type { Caller } from '../../caller.ts'
import { realmPermissions } from '../../realm/realm-setting-rows.ts'
import { findUsers, type User } from '../user-rows.ts'
import { type SeenInTurns, seenInTurns, seenNow } from '../visibility/seen-in-turns.ts'
import { visibleUsers } from '../visibility/visible-users.ts'
import type { UserViewParams } from './get-user.ts'
import { type PresentedUser, presentUser } from './present-user.ts'
import { usersInTurns } from './users-in-turns.ts'

export interface GetUsersParams extends UserViewParams {
  /** The requested users; ids that the caller may not know of are left out. */
  readonly user_ids?: readonly number[]
}

/** Number of users who are named and presented in one turn: some 15 µs each. */
const NAMED_IN_ONE_TURN = 1_000

/**
 * Lists everybody whom the caller may know of, closed accounts and bots too, by id. Source:
 * docs/interface/users.md#list-users.
 */
export const getUsers: ReadCommand<
  Caller,
  GetUsersParams,
  LoadedUsers | undefined,
  { members: readonly PresentedUser[] }
> = {
  reads: true,
  async load({ walks }, view, caller, params) {
    if (!areMany(params)) return undefined
    const all = await presentInTurns(walks, view, caller, params)
    if (all) return { all }
    const named = params.user_ids && new Set(params.user_ids)
    const seen = await seenInTurns(walks, view, caller, (user, isSeen) =>
      isSeen && (!named || named.has(user.id)) ? present(view, caller, params, [user])[0] : undefined,
    )
    return seen && { seen }
  },

  apply(tx, caller, params, { all, seen } = {}) {
    if (all && seesTheSame(tx, caller, all)) return { members: all.members }
    if (areMany(params)) return { members: seenNow(tx, caller, seen) }
    const users = usersNamed(tx.sql, params.user_ids ?? [])
    return { members: present(tx, caller, params, visibleUsers(tx, caller, users)) }
  },
}

/** Whether everybody is asked for, or more than one turn presents. */
function areMany({ user_ids }: GetUsersParams): boolean {
  return user_ids === undefined || user_ids.length > NAMED_IN_ONE_TURN
}

function usersNamed(sql: Sql, ids: readonly number[]): User[] {
  return [...findUsers(sql, ids).values()]
    .filter(({ isSystemBot }) => !isSystemBot)
    .sort((a, b) => a.id - b.id)
}

interface LoadedUsers {
  readonly all?: PresentedInTurns
  readonly seen?: SeenInTurns<PresentedUser>
}

/** Everybody, or all who are named, for a reader who sees all. */
interface PresentedInTurns {
  /** The reader's role then. */
  readonly role: Role
  readonly members: readonly PresentedUser[]
}

/** Presents them, in several turns if they are many: nothing for readers who see only some. */
async function presentInTurns(
  walks: Walks,
  view: RealmView,
  caller: Caller,
  params: GetUsersParams,
): Promise<PresentedInTurns | undefined> {
  const { role } = caller.user
  if (!seesAllUsers(caller.actor, realmPermissions(view.sql))) return undefined
  const presented = (users: readonly User[]) => present(view, caller, params, users)
  const members = params.user_ids
    ? await namedInTurns(walks, view.sql, params.user_ids, presented)
    : await usersInTurns(walks, view.sql, presented)
  return { role, members }
}

async function namedInTurns(
  walks: Walks,
  sql: Sql,
  userIds: readonly number[],
  presented: (users: readonly User[]) => PresentedUser[],
): Promise<PresentedUser[]> {
  const ids = [...new Set(userIds)].sort((a, b) => a - b)
  const members: PresentedUser[] = []
  for (let at = 0; at < ids.length; at += NAMED_IN_ONE_TURN) {
    if (at > 0) await walks.turn()
    members.push(...presented(usersNamed(sql, ids.slice(at, at + NAMED_IN_ONE_TURN))))
  }
  return members
}

/** Whether the reader may still see what was presented: the role may have changed, or who sees whom. */
function seesTheSame({ sql }: RealmReads, { user, actor }: Caller, { role }: PresentedInTurns): boolean {
  return user.role === role && seesAllUsers(actor, realmPermissions(sql))
}

function present(
  { realm }: Pick<RealmView, 'realm'>,
  { user: viewer }: Caller,
  { client_gravatar, include_custom_profile_fields }: GetUsersParams,
  users: readonly User[],
): PresentedUser[] {
  return users.map((user) =>
    presentUser(user, {
      viewer,
      realm,
      clientGravatar: client_gravatar,
      includeProfileData: include_custom_profile_fields,
    }),
  )
}
