import * as v from 'valibot'
import { updateOwnStatus } from '../../domain/user-status/update-own-status.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { jsonBoolean } from '../parameter-types.ts'
import { statusParameters } from './status-parameters.ts'

/** Changes the caller's own status. Source: docs/interface/users.md#status. */
export const updateOwnStatusEndpoint = defineEndpoint({
  operation: 'update-own-status',
  method: 'POST',
  path: '/users/me/status',
  access: 'human',
  params: {
    away: v.optional(v.pipe(jsonBoolean, v.description('Deprecated: the opposite of `presence_enabled`.'))),
    ...statusParameters,
  },
  returns: v.object({}),
  command: updateOwnStatus,
  audit: 'own',
})
