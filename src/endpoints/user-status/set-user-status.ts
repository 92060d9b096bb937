import * as v from 'valibot'
import { setUserStatus } from '../../domain/user-status/set-user-status.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { pathInteger } from '../parameter-types.ts'
import { statusParameters } from './status-parameters.ts'

/** Sets somebody else's status, for administrators. Source: docs/interface/users.md#status. */
export const setUserStatusEndpoint = defineEndpoint({
  operation: 'set-user-status',
  method: 'POST',
  path: '/users/:user_id/status',
  access: 'administrator',
  params: { user_id: pathInteger, ...statusParameters },
  returns: v.object({}),
  command: setUserStatus,
  audit: 'shown',
})
