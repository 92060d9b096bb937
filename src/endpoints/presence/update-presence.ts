import * as v from 'valibot'
import { updatePresence } from '../../domain/presence/update-presence.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { jsonBoolean, jsonInteger, word } from '../parameter-types.ts'
import { presences } from './presence-schemas.ts'

/** Sets whether the caller is there, and answers who else is. Source: docs/interface/users.md#presence. */
export const updatePresenceEndpoint = defineEndpoint({
  operation: 'update-presence',
  method: 'POST',
  path: '/users/me/presence',
  access: 'human',
  params: {
    status: v.pipe(word, v.description('`active` while the user uses the device, else `idle`.')),
    ping_only: v.optional(jsonBoolean, 'false'),
    new_user_input: v.optional(jsonBoolean, 'false'),
    slim_presence: v.optional(jsonBoolean, 'false'),
    last_update_id: v.optional(jsonInteger),
    history_limit_days: v.optional(jsonInteger),
  },
  returns: v.object({
    presence_last_update_id: v.number(),
    server_timestamp: v.optional(v.number()),
    presences: v.optional(presences),
    legacy_mirror_active: v.boolean(),
  }),
  command: updatePresence,
  audit: 'own',
})
