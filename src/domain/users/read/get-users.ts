import type { ReadCommand } from '../../../core/command.ts'
import type { Caller } from '../../caller.ts'
import { findUsers, listUsers } from '../user-rows.ts'
import { visibleUsers } from '../visibility/visible-users.ts'
import type { UserViewParams } from './get-user.ts'
import { type PresentedUser, presentUser } from './present-user.ts'

export interface GetUsersParams extends UserViewParams {
  /** The requested users; ids that the caller may not know of are left out. */
  readonly user_ids?: readonly number[]
}

/**
 * Lists everybody whom the caller may know of, closed accounts and bots too, by id. Source:
 * docs/interface/users.md#list-users.
 */
export const getUsers: ReadCommand<Caller, GetUsersParams, void, { members: PresentedUser[] }> = {
  reads: true,
  apply(tx, caller, { user_ids, client_gravatar, include_custom_profile_fields }) {
    const users =
      user_ids === undefined
        ? listUsers(tx.sql)
        : [...findUsers(tx.sql, user_ids).values()]
            .filter(({ isSystemBot }) => !isSystemBot)
            .sort((a, b) => a.id - b.id)
    return {
      members: visibleUsers(tx, caller, users).map((user) =>
        presentUser(user, {
          viewer: caller.user,
          realm: tx.realm,
          clientGravatar: client_gravatar,
          includeProfileData: include_custom_profile_fields,
        }),
      ),
    }
  },
}
