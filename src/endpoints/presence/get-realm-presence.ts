import * as v from 'valibot'
import { getRealmPresence } from '../../domain/presence/get-realm-presence.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { legacyPresences } from './presence-schemas.ts'

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
