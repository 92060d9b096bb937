import type { ReadCommand } from '../../core/command.ts'
import { insufficientPermission } from '../../permissions/role-rules.ts'
import type { Caller } from '../caller.ts'
import { requireUser } from '../users/visibility/access-user.ts'
import { seesUser } from '../users/visibility/visible-users.ts'
import { presentStatus } from './present-status.ts'
import { readStatus } from './user-status-rows.ts'

/** Gets somebody's status. Source: docs/interface/users.md#status. */
export const getUserStatus: ReadCommand<Caller, { readonly user_id: number }, void, object> = {
  reads: true,
  apply(tx, caller, { user_id }) {
    const user = requireUser(tx.sql, user_id)
    if (!seesUser(tx, caller, user)) throw insufficientPermission()
    return { status: presentStatus(user, readStatus(tx.sql, user.id), caller.source.userAgent) }
  },
}
