import { getUserPresence } from '../../domain/presence/get-user-presence.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { pathInteger } from '../parameter-types.ts'
import { onePresence } from './presence-schemas.ts'

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
