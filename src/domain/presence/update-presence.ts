import type { Command } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { Caller } from '../caller.ts'
import { PRESENCE_HISTORY_DAYS, presenceFinder } from './known-presences.ts'
import { legacyPresences, modernPresences } from './present-presence.ts'
import { type PresenceStatus, recordPresence } from './record-presence.ts'

export interface UpdatePresenceParams {
  readonly status: string
  readonly ping_only: boolean
  readonly new_user_input: boolean
  readonly slim_presence: boolean
  readonly last_update_id?: number
  readonly history_limit_days?: number
}

/**
 * Sets whether the caller is there, and answers who else is: in the newer form to clients that say what they
 * have already. Source: docs/interface/users.md#presence; docs/decisions/interface.md#settings-and-presence.
 */
export const updatePresence: Command<Caller, UpdatePresenceParams, void, object> = {
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
      presences: isModern ? modernPresences(known) : legacyPresences(known, tx.realm),
      legacy_mirror_active: false,
    }
  },
}

function requireStatus(status: string): PresenceStatus {
  if (status !== 'active' && status !== 'idle') throw new BadRequestError(`Invalid status: ${status}`)
  return status
}
