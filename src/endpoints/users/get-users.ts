import * as v from 'valibot'
import { getUsers } from '../../domain/users/read/get-users.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { jsonIds } from '../parameter-types.ts'
import { user, userView } from './user-schema.ts'

/** Lists all users, or some. Source: docs/interface/users.md#list-users. */
export const getUsersEndpoint = defineEndpoint({
  operation: 'get-users',
  method: 'GET',
  path: '/users',
  access: 'user',
  params: { ...userView, user_ids: v.optional(jsonIds) },
  returns: v.object({ members: v.array(user) }),
  command: getUsers,
  largeAnswer: true,
})
