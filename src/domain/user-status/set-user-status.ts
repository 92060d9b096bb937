import type { Command } from '../../core/command.ts'
import type { Caller } from '../caller.ts'
import { requireUserToAdminister } from '../users/visibility/access-user.ts'
import { changeStatus, requireStatusChange, type StatusParams } from './change-status.ts'

/** Sets somebody else's status, for administrators. Source: docs/interface/users.md#status. */
export const setUserStatus: Command<
  Caller,
  Omit<StatusParams, 'away'> & { readonly user_id: number },
  void,
  object
> = {
  apply(tx, caller, { user_id, ...params }) {
    const user = requireUserToAdminister(tx.sql, caller, user_id)
    changeStatus(tx, user, requireStatusChange(tx.sql, params))
    return {}
  },
}
