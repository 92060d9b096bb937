import { MadeLater } from '../../core/blocks.ts'
import type { Command } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { Caller } from '../caller.ts'
import {
  knownPresences,
  type ListedPeople,
  PRESENCE_HISTORY_DAYS,
  readPresencesAhead,
} from './known-presences.ts'
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
export const updatePresence: Command<Caller, UpdatePresenceParams, ListedPeople | undefined, object> = {
  // A client that has something gets few.
  loads: ({ ping_only, last_update_id = -1 }) => !ping_only && last_update_id <= 0,
  load: (_stores, view) => readPresencesAhead(view),
  apply(tx, caller, params, listed) {
    recordPresence(tx, caller.user, requireStatus(params.status))
    const { last_update_id } = params
    if (params.ping_only) {
      return { presence_last_update_id: last_update_id ?? -1, legacy_mirror_active: false }
    }
    const { known, lastUpdateId } = knownPresences(tx, caller, {
      lastUpdateId: last_update_id,
      historyDays: params.history_limit_days ?? PRESENCE_HISTORY_DAYS,
      listed,
    })
    const isModern = params.slim_presence || last_update_id !== undefined
    return {
      presence_last_update_id: lastUpdateId,
      server_timestamp: tx.now,
      presences: new MadeLater(known.length, () =>
        isModern ? modernPresences(known) : legacyPresences(known, tx.realm),
      ),
      legacy_mirror_active: false,
    }
  },
}

function requireStatus(status: string): PresenceStatus {
  if (status !== 'active' && status !== 'idle') throw new BadRequestError(`Invalid status: ${status}`)
  return status
}
