import { defineEndpoint } from '../../api/define-endpoint.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import { textUpTo } from '../../api/parameter-types.ts'
import { onePresence } from '../../api/shared-answers.ts'
import { getUserPresenceByEmail } from './get-user-presence.ts'

/** Gets the presence of the user with this address, as get-user-presence does. Source: docs/interface/users.md#presence. */
export const getUserPresenceByEmailEndpoint = defineEndpoint({
  operation: 'get-user-presence-by-email',
  method: 'GET',
  path: '/users/:email/presence',
  access: 'user',
  params: { email: textUpTo(NAME_LENGTH) },
  returns: onePresence,
  command: { reads: true, apply: getUserPresenceByEmail },
})
