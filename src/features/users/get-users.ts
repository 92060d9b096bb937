import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import { described, jsonBoolean, jsonIds, pathInteger, textUpTo } from '../../api/parameter-types.ts'
import { defineReader } from '../../core/reader.ts'
import { userEntries } from '../../events/realm-user.ts'
import { getUser, getUserByEmail, presentUsers } from '../../model/users/read/get-user.ts'
import { presentUser, type UserViewer } from '../../model/users/read/present-user.ts'
import { idsSeenBy } from '../../model/users/visibility/visible-users.ts'
import { newestReceivedMessage } from '../../store/messages/flags/received-message-rows.ts'

/** The user object in answers. Source: docs/interface/users.md#the-user-object. */
export const user = v.object(userEntries)

/** The requested form of users, in the order in which it is checked (docs/interface/users.md#the-user-object). */
const userView = {
  include_custom_profile_fields: v.optional(
    described(jsonBoolean, 'Include the values of custom profile fields.'),
    'false',
  ),
  client_gravatar: v.optional(
    described(jsonBoolean, 'Send null for a picture whose address the client can compute.'),
    'true',
  ),
}

/** Lists everyone whom the caller may know of, including closed accounts and bots, by id. Source: docs/interface/users.md#list-users. */
export const getUsersEndpoint = defineEndpoint({
  operation: 'get-users',
  route: 'GET /users',
  access: 'user',
  params: { ...userView, user_ids: v.optional(jsonIds) },
  returns: v.object({ members: v.array(user) }),
  query(tx, caller, { user_ids, client_gravatar, include_custom_profile_fields }) {
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
  largeAnswer: true,
})

interface ListedUsers extends UserViewer {
  /** Undefined for everyone. */
  readonly ids: Iterable<number> | undefined
}

/** Users as a viewer sees them. The caller has checked who may be seen. */
const listedUsers = defineReader({
  name: 'listed users',
  allowStale: true,
  key: ({ ids, viewer: { id, role }, clientGravatar, includeProfileData }: ListedUsers) =>
    `${id} ${role} ${clientGravatar} ${includeProfileData} ${ids ? [...ids].join() : 'all'}`,
  read: (store, { ids, ...viewer }) => presentUsers(store, ids, (user) => presentUser(user, viewer)),
})

/** Gets one user by id. Source: docs/interface/users.md#get-a-user. */
export const getUserEndpoint = defineEndpoint({
  operation: 'get-user',
  route: 'GET /users/:user_id',
  access: 'user',
  params: { user_id: pathInteger, ...userView },
  returns: v.object({ user }),
  query: getUser,
})

/** Gets one user by address. Source: docs/interface/users.md#get-a-user. */
export const getUserByEmailEndpoint = defineEndpoint({
  operation: 'get-user-by-email',
  route: 'GET /users/:email',
  access: 'user',
  params: { email: textUpTo(NAME_LENGTH), ...userView },
  returns: v.object({ user }),
  query: getUserByEmail,
})

/** Gets the caller's own account, and the newest message that it received (−1: none). Source: docs/interface/users.md#get-a-user. */
export const getOwnUserEndpoint = defineEndpoint({
  operation: 'get-own-user',
  route: 'GET /users/me',
  access: 'user',
  returns: v.object({ ...user.entries, max_message_id: v.number() }),
  query: (tx, { user }) => ({
    ...presentUser(user, {
      viewer: user,
      realm: tx.realm,
      clientGravatar: false,
      includeProfileData: true,
    }),
    max_message_id: newestReceivedMessage(tx.sql, user.id) ?? -1,
  }),
})
