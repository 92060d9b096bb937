import type { ReadCommand } from '../../../core/command.ts'
import { defineReader } from '../../../core/reader.ts'
import type { Caller } from '../../caller.ts'
import { idsSeenBy } from '../visibility/visible-users.ts'
import type { UserViewParams } from './get-user.ts'
import { type PresentedUser, presentUser, type UserViewer } from './present-user.ts'
import { presentUsers } from './present-users.ts'

export interface GetUsersParams extends UserViewParams {
  /** The requested users; ids that the caller may not know of are left out. */
  readonly user_ids?: readonly number[]
}

/**
 * Lists everybody whom the caller may know of, closed accounts and bots too, by id. Source:
 * docs/interface/users.md#list-users.
 */
export const getUsers: ReadCommand<Caller, GetUsersParams, void, { members: readonly PresentedUser[] }> = {
  reads: true,
  apply(tx, caller, { user_ids, client_gravatar, include_custom_profile_fields }) {
    const { id, role } = caller.user
    const seen = idsSeenBy(tx, caller)
    const members = tx.use(listedUsers, {
      ids: seen && user_ids ? user_ids.filter((named) => seen.has(named)) : (user_ids ?? seen),
      viewer: { id, role },
      realm: tx.realm,
      clientGravatar: client_gravatar,
      includeProfileData: include_custom_profile_fields,
    })
    return { members }
  },
}

interface ListedUsers extends UserViewer {
  /** Undefined for everybody. */
  readonly ids: Iterable<number> | undefined
}

/** Users as somebody sees them. Who may be seen is decided before. */
const listedUsers = defineReader({
  name: 'listed users',
  mayLag: true,
  key: ({ ids, viewer: { id, role }, clientGravatar, includeProfileData }: ListedUsers) =>
    `${id} ${role} ${clientGravatar} ${includeProfileData} ${ids ? [...ids].join() : 'all'}`,
  read: (store, { ids, ...viewer }) => presentUsers(store, ids, (user) => presentUser(user, viewer)),
})
