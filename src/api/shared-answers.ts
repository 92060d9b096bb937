import * as v from 'valibot'
import { described } from './parameter-types.ts'

/** An upload in the form for its owner. Source: docs/interface/uploads.md#ones-files. */
export const attachment = v.object({
  id: v.number(),
  name: v.string(),
  path_id: described(v.string(), 'The file’s address is /user_uploads/ followed by this.'),
  size: described(v.number(), 'Bytes.'),
  create_time: described(v.number(), 'UNIX milliseconds; seconds from level 443 on.'),
  messages: described(
    v.optional(v.array(v.object({ date_sent: v.number(), id: v.number() }))),
    'Below level 472. `date_sent` has the unit of `create_time`.',
  ),
  message_ids: described(v.optional(v.array(v.number())), 'From level 472 on.'),
})

const status = { status: v.picklist(['active', 'idle', 'offline']), timestamp: v.number() }

const modernEntry = { active_timestamp: v.number(), idle_timestamp: v.number() }

/** The presences by e-mail (docs/interface/users.md#presence). */
export const legacyPresences = v.record(
  v.string(),
  v.object({
    aggregated: v.object({ client: v.string(), ...status }),
    website: v.object({ client: v.string(), pushable: v.boolean(), ...status }),
  }),
)

/** The presences by user id, or in the older form. */
export const presences = v.union([v.record(v.string(), v.object(modernEntry)), legacyPresences])

export const onePresence = v.object({
  presence: v.object({ aggregated: v.object(status), website: v.object(status), ...modernEntry }),
  server_timestamp: v.number(),
})
