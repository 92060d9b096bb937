import * as v from 'valibot'
import { getUserByEmail } from '../../domain/users/read/get-user.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { NAME_LENGTH } from '../input-limits.ts'
import { textUpTo } from '../parameter-types.ts'
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
