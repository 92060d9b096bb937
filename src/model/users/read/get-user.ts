import { BadRequestError } from '../../../core/errors.ts'
import { inParts } from '../../../core/parts-of-lists.ts'
import type { ReadStore, Steps } from '../../../core/reader.ts'
import type { RealmReads } from '../../../core/realm-transaction.ts'
import type { Sql } from '../../../core/sql.ts'
import { insufficientPermission } from '../../../rules/roles.ts'
import { listUsersAbove, listUsersAmong, type Profile, type User } from '../../../store/users/user-rows.ts'
import type { Caller } from '../../caller.ts'
import { findUserAtAddress } from '../addresses/find-by-address.ts'
import { requireUser, seesUser } from '../visibility/visible-users.ts'
import { type PresentedUser, presentUser } from './present-user.ts'

export interface UserViewParams {
  readonly client_gravatar: boolean
  readonly include_custom_profile_fields: boolean
}

type Result = { user: PresentedUser }

/** Gets one user: bots and closed accounts too, but no system bots. Source: docs/interface/users.md#get-a-user. */
export function getUser(
  tx: RealmReads,
  caller: Caller,
  { user_id, ...view }: UserViewParams & { readonly user_id: number },
): Result {
  return { user: presentIfSeen(tx, caller, requireUser(tx.sql, user_id), view) }
}

/** Gets a user by the dummy address, or by the real one if the caller may see it. Source: docs/interface/users.md#get-a-user. */
export function getUserByEmail(
  tx: RealmReads,
  caller: Caller,
  { email, ...view }: UserViewParams & { readonly email: string },
): Result {
  return { user: presentIfSeen(tx, caller, requireUserByEmail(tx, caller, email), view) }
}

/** @throws BadRequestError `No such user`, also for an address that the caller may not see */
export function requireUserByEmail(tx: RealmReads, caller: Caller, email: string): User {
  const user = findUserAtAddress(tx, caller, email)
  if (!user || user.isSystemBot) throw new BadRequestError('No such user')
  return user
}

function presentIfSeen(tx: RealmReads, caller: Caller, user: User, view: UserViewParams): PresentedUser {
  if (!seesUser(tx, caller, user)) throw insufficientPermission()
  return presentUser(user, {
    viewer: caller.user,
    realm: tx.realm,
    clientGravatar: view.client_gravatar && 'by-real-email',
    includeProfileData: view.include_custom_profile_fields,
  })
}

const USERS_AT_A_TIME = 200
/** Number of rows that take as long to read as a user takes to present. */
const WORK_OF_A_USER = 4

/** Presents users, by id, for a reader: all, or those with these ids; closed accounts and bots too, but no system bots. */
export function* presentUsers<Item>(
  { sql }: ReadStore,
  ids: Iterable<number> | undefined,
  present: (user: Profile) => Item,
): Steps<Item[]> {
  const items: Item[] = []
  for (const users of ids ? usersNamed(sql, ids) : everybody(sql)) {
    for (const user of users) items.push(present(user))
    yield WORK_OF_A_USER * users.length
  }
  return items
}

function* usersNamed(sql: Sql, ids: Iterable<number>): Generator<readonly Profile[], void> {
  const ascending = [...new Set(ids)].sort((a, b) => a - b)
  for (const part of inParts(ascending, USERS_AT_A_TIME)) yield listUsersAmong(sql, part)
}

function* everybody(sql: Sql): Generator<readonly Profile[], void> {
  let above: number | undefined = 0
  while (above !== undefined) {
    const users = listUsersAbove(sql, above, USERS_AT_A_TIME)
    yield users
    above = users.at(-1)?.id
  }
}
