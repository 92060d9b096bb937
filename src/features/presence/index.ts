import type { Endpoint } from '../../api/define-endpoint.ts'
import { getRealmPresenceEndpoint } from './get-realm-presence.ts'
import { getUserPresenceEndpoint } from './get-user-presence.ts'
import { getUserPresenceByEmailEndpoint } from './get-user-presence-by-email.ts'
import { updatePresenceEndpoint } from './update-presence.ts'

export const PRESENCE_ENDPOINTS: readonly Endpoint[] = [
  getRealmPresenceEndpoint,
  getUserPresenceEndpoint,
  getUserPresenceByEmailEndpoint,
  updatePresenceEndpoint,
]
