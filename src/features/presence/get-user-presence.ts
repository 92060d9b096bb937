import { defineEndpoint } from '../../api/define-endpoint.ts'
import { pathInteger } from '../../api/parameter-types.ts'
import { onePresence } from '../../api/presence-schemas.ts'
import { getUserPresence } from './get-user-presence-work.ts'

/** Gets somebody's presence. Source: docs/interface/users.md#presence. */
export const getUserPresenceEndpoint = defineEndpoint({
  operation: 'get-user-presence',
  method: 'GET',
  path: '/users/:user_id/presence',
  access: 'user',
  params: { user_id: pathInteger },
  returns: onePresence,
  command: getUserPresence,
})
