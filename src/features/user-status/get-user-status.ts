import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { pathInteger } from '../../api/parameter-types.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { presentStatus } from '../../model/user-status/present-status.ts'
import { requireUser, seesUser } from '../../model/users/visibility/visible-users.ts'
import { insufficientPermission } from '../../rules/role-rules.ts'
import { readStatus } from '../../store/user-status/user-status-rows.ts'
import { status } from './status-parameters.ts'

/** Gets a user's status. Source: docs/interface/users.md#status. */
export const getUserStatusEndpoint = defineEndpoint({
  operation: 'get-user-status',
  method: 'GET',
  path: '/users/:user_id/status',
  access: 'user',
  params: { user_id: pathInteger },
  returns: v.object({ status }),
  command: { reads: true, apply: getUserStatus },
})

function getUserStatus(tx: RealmReads, caller: Caller, { user_id }: { readonly user_id: number }): object {
  const user = requireUser(tx.sql, user_id)
  if (!seesUser(tx, caller, user)) throw insufficientPermission()
  return { status: presentStatus(user, readStatus(tx.sql, user.id), caller.source.userAgent) }
}
