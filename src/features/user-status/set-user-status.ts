import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { pathInteger } from '../../api/parameter-types.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import {
  changeStatus,
  requireStatusChange,
  type StatusParams,
} from '../../model/user-status/change-status.ts'
import { requireUserToAdminister } from '../../model/users/visibility/visible-users.ts'
import { statusParameters } from './status-parameters.ts'

/** Sets another user's status, for administrators. Source: docs/interface/users.md#status. */
export const setUserStatusEndpoint = defineEndpoint({
  operation: 'set-user-status',
  method: 'POST',
  path: '/users/:user_id/status',
  access: 'administrator',
  params: { user_id: pathInteger, ...statusParameters },
  returns: v.object({}),
  command: { apply: setUserStatus },
  audit: 'shown',
})

function setUserStatus(
  tx: RealmTransaction,
  caller: Caller,
  { user_id, ...params }: Omit<StatusParams, 'away'> & { readonly user_id: number },
): object {
  const user = requireUserToAdminister(tx.sql, caller, user_id)
  changeStatus(tx, user, requireStatusChange(tx.sql, params))
  return {}
}
