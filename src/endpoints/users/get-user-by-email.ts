import * as v from 'valibot'
import { getUserByEmail } from '../../domain/users/get-user.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { text } from '../parameter-types.ts'
import { user, userView } from './user-schema.ts'

/** One user by address. Source: SPEC 4.22. */
export const getUserByEmailEndpoint = defineEndpoint({
  operation: 'get-user-by-email',
  method: 'GET',
  path: '/users/:email',
  access: 'user',
  params: { email: text, ...userView },
  returns: v.object({ user }),
  command: getUserByEmail,
})
