import * as v from 'valibot'
import { reactivateUser } from '../../domain/users/accounts/reactivate-user.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { pathInteger } from '../parameter-types.ts'

/** Opens a closed account again. Source: docs/interface/users.md#close-and-open-an-account. */
export const reactivateUserEndpoint = defineEndpoint({
  operation: 'reactivate-user',
  method: 'POST',
  path: '/users/:user_id/reactivate',
  access: 'user',
  params: { user_id: pathInteger },
  returns: v.object({}),
  command: reactivateUser,
  audit: {
    whenChanged: ({ params }) => ({
      action: 'user_reactivated',
      details: { user_id: params.user_id },
    }),
  },
})
