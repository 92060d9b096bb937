import * as v from 'valibot'
import { getUserStatus } from '../../domain/user-status/get-user-status.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { pathInteger } from '../parameter-types.ts'
import { status } from './status-parameters.ts'

/** Gets somebody's status. Source: docs/interface/users.md#status. */
export const getUserStatusEndpoint = defineEndpoint({
  operation: 'get-user-status',
  method: 'GET',
  path: '/users/:user_id/status',
  access: 'user',
  params: { user_id: pathInteger },
  returns: v.object({ status }),
  command: getUserStatus,
})
