import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { jsonBoolean, jsonInteger, word } from '../../api/parameter-types.ts'
import { presences } from '../../api/shared-answers.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import {
  modernPresences,
  PRESENCE_HISTORY_DAYS,
  presenceFinder,
  presentLegacyPresences,
} from '../../model/presence/presence-memory.ts'
import { type PresenceStatus, recordPresence } from '../../model/presence/record-presence.ts'

/**
 * Sets whether the caller is there, and answers who else is: in the newer form to clients that say what they
 * have already. Source: docs/interface/users.md#presence; docs/decisions/interface.md#settings-and-presence.
 */
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
  command: { apply: updatePresence },
  audit: 'own',
})

interface UpdatePresenceParams {
  readonly status: string
  readonly ping_only: boolean
  readonly new_user_input: boolean
  readonly slim_presence: boolean
  readonly last_update_id?: number
  readonly history_limit_days?: number
}

function updatePresence(tx: RealmTransaction, caller: Caller, params: UpdatePresenceParams): object {
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
}

function requireStatus(status: string): PresenceStatus {
  if (status !== 'active' && status !== 'idle') throw new BadRequestError(`Invalid status: ${status}`)
  return status
}
