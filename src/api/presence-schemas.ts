import * as v from 'valibot'

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
