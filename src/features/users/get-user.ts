import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { pathInteger } from '../../api/parameter-types.ts'
import { getUser } from '../../model/users/read/get-user.ts'
import { user, userView } from './user-schema.ts'

/** Gets one user by id. Source: docs/interface/users.md#get-a-user. */
export const getUserEndpoint = defineEndpoint({
  operation: 'get-user',
  method: 'GET',
  path: '/users/:user_id',
  access: 'user',
  params: { user_id: pathInteger, ...userView },
  returns: v.object({ user }),
  command: getUser,
})
