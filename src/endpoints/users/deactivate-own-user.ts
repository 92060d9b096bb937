import * as v from 'valibot'
import { deactivateOwnUser } from '../../domain/users/accounts/deactivate-own-user.ts'
import { defineEndpoint } from '../define-endpoint.ts'

/** Closes the caller's own account. Source: docs/interface/users.md#close-and-open-an-account. */
export const deactivateOwnUserEndpoint = defineEndpoint({
  operation: 'deactivate-own-user',
  method: 'DELETE',
  path: '/users/me',
  access: 'human',
  needsProof: true,
  params: {},
  returns: v.object({}),
  command: deactivateOwnUser,
  audit: ({ actorId }) => ({
    action: 'user_deactivated',
    details: { user_id: actorId },
  }),
})
