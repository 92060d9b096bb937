import { getUserPresenceByEmail } from '../../domain/presence/get-user-presence.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { NAME_LENGTH } from '../input-limits.ts'
import { textUpTo } from '../parameter-types.ts'
import { onePresence } from './presence-schemas.ts'

/** Gets the presence of the user with this address, as get-user-presence does. Source: docs/interface/users.md#presence. */
export const getUserPresenceByEmailEndpoint = defineEndpoint({
  operation: 'get-user-presence-by-email',
  method: 'GET',
  path: '/users/:email/presence',
  access: 'user',
  params: { email: textUpTo(NAME_LENGTH) },
  returns: onePresence,
  command: getUserPresenceByEmail,
})
