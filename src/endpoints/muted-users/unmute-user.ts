import * as v from 'valibot'
import { unmuteUser } from '../../domain/muted-users/change-muted-users.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { pathInteger } from '../parameter-types.ts'

/** Unmutes somebody. Source: docs/interface/users.md#muted-users. */
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
