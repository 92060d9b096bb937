import { getUserPresenceByEmail } from '../../domain/presence/get-user-presence.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { text } from '../parameter-types.ts'
import { onePresence } from './presence-schemas.ts'

/** As get-user-presence, for whoever has this address. Source: core-endpoints 14. */
export const getUserPresenceByEmailEndpoint = defineEndpoint({
  operation: 'get-user-presence-by-email',
  method: 'GET',
  path: '/users/:email/presence',
  access: 'user',
  params: { email: text },
  returns: onePresence,
  command: getUserPresenceByEmail,
})
