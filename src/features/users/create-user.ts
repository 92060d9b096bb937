import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { hashPassword } from '../../api/in-worker/password-hash.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import { textUpTo } from '../../api/parameter-types.ts'
import { createUser } from '../../model/users/accounts/create-user.ts'

/** Makes an account, for administrators. Source: docs/interface/users.md#create-a-user. */
export const createUserEndpoint = defineEndpoint({
  operation: 'create-user',
  method: 'POST',
  path: '/users',
  access: 'administrator',
  growsObject: true,
  params: { email: textUpTo(NAME_LENGTH), password: textUpTo(NAME_LENGTH), full_name: textUpTo(NAME_LENGTH) },
  returns: v.object({ user_id: v.number() }),
  command: createUser,
  audit: ({ value }) => ({ action: 'user_created', details: { user_id: value.user_id } }),
  async prepare(params) {
    return { ...params, password_hash: await hashPassword(params.password) }
  },
})
