import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import { textUpTo } from '../../api/parameter-types.ts'
import { getUserByEmail } from '../../model/users/read/get-user.ts'
import { user, userView } from './user-schema.ts'

/** Gets one user by address. Source: docs/interface/users.md#get-a-user. */
export const getUserByEmailEndpoint = defineEndpoint({
  operation: 'get-user-by-email',
  method: 'GET',
  path: '/users/:email',
  access: 'user',
  params: { email: textUpTo(NAME_LENGTH), ...userView },
  returns: v.object({ user }),
  command: getUserByEmail,
})
