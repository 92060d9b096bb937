import { getUserPresenceByEmail } from '../../domain/presence/get-user-presence.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { NAME_LENGTH } from '../input-limits.ts'
import { textUpTo } from '../parameter-types.ts'
import { onePresence } from './presence-schemas.ts'

/** As get-user-presence, for whoever has this address. Source: docs/interface/users.md#presence. */
export const getUserPresenceByEmailEndpoint = defineEndpoint({
  operation: 'get-user-presence-by-email',
  method: 'GET',
  path: '/users/:email/presence',
  access: 'user',
  params: { email: textUpTo(NAME_LENGTH) },
  returns: onePresence,
  command: getUserPresenceByEmail,
})
