import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { legacyPresences } from '../../api/presence-schemas.ts'
import { getRealmPresence } from './get-realm-presence-work.ts'

/** Gets everybody's presence in the older form. Source: docs/interface/users.md#presence. */
export const getRealmPresenceEndpoint = defineEndpoint({
  operation: 'get-realm-presence',
  method: 'GET',
  path: '/realm/presence',
  access: 'user',
  params: {},
  returns: v.object({ server_timestamp: v.number(), presences: legacyPresences }),
  command: getRealmPresence,
})
