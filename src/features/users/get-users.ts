import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { jsonIds } from '../../api/parameter-types.ts'
import { defineReader } from '../../core/reader.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { presentUsers, type UserViewParams } from '../../model/users/read/get-user.ts'
import { type PresentedUser, presentUser, type UserViewer } from '../../model/users/read/present-user.ts'
import { idsSeenBy } from '../../model/users/visibility/visible-users.ts'
import { user, userView } from './user-schema.ts'

/**
 * Lists everybody whom the caller may know of, closed accounts and bots too, by id. Source:
 * docs/interface/users.md#list-users.
 */
export const getUsersEndpoint = defineEndpoint({
  operation: 'get-users',
  method: 'GET',
  path: '/users',
  access: 'user',
  params: { ...userView, user_ids: v.optional(jsonIds) },
  returns: v.object({ members: v.array(user) }),
  command: { reads: true, apply: getUsers },
  largeAnswer: true,
})

interface GetUsersParams extends UserViewParams {
  /** The requested users; ids that the caller may not know of are left out. */
  readonly user_ids?: readonly number[]
}

function getUsers(
  tx: RealmReads,
  caller: Caller,
  { user_ids, client_gravatar, include_custom_profile_fields }: GetUsersParams,
): { members: readonly PresentedUser[] } {
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
}

interface ListedUsers extends UserViewer {
  /** Undefined for everybody. */
  readonly ids: Iterable<number> | undefined
}

/** Users as someone sees them. Who may be seen is decided before. */
const listedUsers = defineReader({
  name: 'listed users',
  mayLag: true,
  key: ({ ids, viewer: { id, role }, clientGravatar, includeProfileData }: ListedUsers) =>
    `${id} ${role} ${clientGravatar} ${includeProfileData} ${ids ? [...ids].join() : 'all'}`,
  read: (store, { ids, ...viewer }) => presentUsers(store, ids, (user) => presentUser(user, viewer)),
})
