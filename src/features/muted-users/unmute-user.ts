import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { pathInteger } from '../../api/parameter-types.ts'
import { unmuteUser } from './change-muted-users.ts'

/** Unmutes a user. Source: docs/interface/users.md#muted-users. */
export const unmuteUserEndpoint = defineEndpoint({
  operation: 'unmute-user',
  method: 'DELETE',
  path: '/users/me/muted_users/:muted_user_id',
  access: 'user',
  params: { muted_user_id: pathInteger },
  returns: v.object({}),
  command: unmuteUser,
  audit: 'own',
})
