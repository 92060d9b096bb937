import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import {
  described,
  jsonBoolean,
  jsonInteger,
  pathInteger,
  textUpTo,
  word,
} from '../../api/parameter-types.ts'
import { legacyPresences, onePresence, presences } from '../../api/shared-answers.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import {
  legacyStatus,
  modernEntry,
  modernPresences,
  PRESENCE,
  PRESENCE_HISTORY_DAYS,
  presenceFinder,
  presentLegacyPresences,
} from '../../model/presence/presence-memory.ts'
import { type PresenceStatus, recordPresence } from '../../model/presence/record-presence.ts'
import { requireUserByEmail } from '../../model/users/read/get-user.ts'
import { requireUser, seesUser } from '../../model/users/visibility/visible-users.ts'
import { insufficientPermission } from '../../rules/roles.ts'
import type { User } from '../../store/users/user-rows.ts'

/** Gets everyone's presence in the older form. Source: docs/interface/users.md#presence. */
export const getRealmPresenceEndpoint = defineEndpoint({
  operation: 'get-realm-presence',
  route: 'GET /realm/presence',
  access: 'user',
  returns: v.object({ server_timestamp: v.number(), presences: legacyPresences }),
  query(tx, caller) {
    const { known } = presenceFinder(tx, caller)({ historyDays: PRESENCE_HISTORY_DAYS })
    return { server_timestamp: tx.now, presences: presentLegacyPresences(known, tx.realm) }
  },
})

/** Gets a user's presence. Source: docs/interface/users.md#presence. */
export const getUserPresenceEndpoint = defineEndpoint({
  operation: 'get-user-presence',
  route: 'GET /users/:user_id/presence',
  access: 'user',
  params: { user_id: pathInteger },
  returns: onePresence,
  query: (tx, caller, { user_id }) => presenceOf(tx, caller, requireUser(tx.sql, user_id), String(user_id)),
})

/** Seconds after which a user who was there counts as gone (docs/interface/users.md#presence). */
const OFFLINE_SECONDS = 200

/** Returns a user's presence. `asked`: how the caller named the user. */
function presenceOf(tx: RealmReads, caller: Caller, user: User, asked: string): object {
  if (!user.isActive) throw new BadRequestError('No such user')
  if (user.botType !== null) throw new BadRequestError('Presence is not supported for bot users.')
  if (!seesUser(tx, caller, user)) throw insufficientPermission()
  const presence = tx.recall(PRESENCE).of(user.id)
  if (!presence) throw new BadRequestError(`No presence data for ${asked}`)
  const { status, timestamp } = legacyStatus(presence)
  const isOffline = tx.now - timestamp > OFFLINE_SECONDS
  return {
    server_timestamp: tx.now,
    presence: {
      ...modernEntry(presence, user),
      aggregated: { status: isOffline ? 'offline' : status, timestamp },
      website: { status, timestamp },
    },
  }
}

/** Gets a user's presence by address. Source: docs/interface/users.md#presence. */
export const getUserPresenceByEmailEndpoint = defineEndpoint({
  operation: 'get-user-presence-by-email',
  route: 'GET /users/:email/presence',
  access: 'user',
  params: { email: textUpTo(NAME_LENGTH) },
  returns: onePresence,
  query: (tx, caller, { email }) => presenceOf(tx, caller, requireUserByEmail(tx, caller, email), email),
})

/**
 * Sets the caller's presence, and answers the others': in the newer form to clients that say which updates they have. Source:
 * docs/interface/users.md#presence; docs/decisions/interface.md#settings-and-presence.
 */
export const updatePresenceEndpoint = defineEndpoint({
  operation: 'update-presence',
  route: 'POST /users/me/presence',
  access: 'human',
  madeInCopies: true,
  params: {
    status: described(word, '`active` while the user uses the device, else `idle`.'),
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
  shed: {
    step: 'presence',
    answer: ({ last_update_id, ping_only }, now) => ({
      presence_last_update_id: last_update_id ?? -1,
      ...(ping_only ? {} : { server_timestamp: now, presences: {} }),
      legacy_mirror_active: false,
    }),
  },
  apply(tx, caller, params) {
    const status = requireStatus(params.status)
    const { last_update_id } = params
    if (params.ping_only) {
      recordPresence(tx, caller.user, status)
      return { presence_last_update_id: last_update_id ?? -1, legacy_mirror_active: false }
    }
    const find = presenceFinder(tx, caller)
    recordPresence(tx, caller.user, status)
    const { known, lastUpdateId } = find({
      lastUpdateId: last_update_id,
      historyDays: params.history_limit_days ?? PRESENCE_HISTORY_DAYS,
    })
    const isModern = params.slim_presence || last_update_id !== undefined
    return {
      presence_last_update_id: lastUpdateId,
      server_timestamp: tx.now,
      presences: isModern ? modernPresences(known) : presentLegacyPresences(known, tx.realm),
      legacy_mirror_active: false,
    }
  },
  audit: 'own',
})

function requireStatus(status: string): PresenceStatus {
  if (status !== 'active' && status !== 'idle') throw new BadRequestError(`Invalid status: ${status}`)
  return status
}
