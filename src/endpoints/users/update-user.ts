import * as v from 'valibot'
import { updateUser } from '../../domain/users/update-user.ts'
import { ROLE_VALUES } from '../../permissions/roles.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { json, pathInteger } from '../parameter-types.ts'

/** Changes an account. Source: core-endpoints 12. */
export const updateUserEndpoint = defineEndpoint({
  operation: 'update-user',
  method: 'PATCH',
  path: '/users/:user_id',
  access: 'user',
  params: {
    user_id: pathInteger,
    role: v.optional(json(v.pipe(v.number(), v.safeInteger(), v.picklist(ROLE_VALUES)))),
  },
  returns: v.object({}),
  command: updateUser,
})
