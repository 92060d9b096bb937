import type { Command } from '../../core/command.ts'
import type { Caller } from '../caller.ts'
import { changeUserSetting } from '../users/settings/change-user-setting.ts'
import { changeStatus, requireStatusChange, type StatusParams } from './change-status.ts'

/**
 * Changes the caller's own status. `away` is an older way to hide one's presence, and changes that first.
 * Source: docs/interface/users.md#status.
 */
export const updateOwnStatus: Command<Caller, StatusParams, void, object> = {
  apply(tx, caller, params) {
    const change = requireStatusChange(tx.sql, params)
    if (change.away !== undefined) changeUserSetting(tx, caller.user, 'presence_enabled', !change.away)
    changeStatus(tx, caller.user, change)
    return {}
  },
}
