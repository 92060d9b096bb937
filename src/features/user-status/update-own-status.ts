import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { jsonBoolean } from '../../api/parameter-types.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import {
  changeStatus,
  requireStatusChange,
  type StatusParams,
} from '../../model/user-status/change-status.ts'
import { changeUserSetting } from '../../model/users/settings/change-user-setting.ts'
import { statusParameters } from './status-parameters.ts'

/**
 * Changes the caller's own status. `away` is an older way to hide one's presence, and changes that first.
 * Source: docs/interface/users.md#status.
 */
export const updateOwnStatusEndpoint = defineEndpoint({
  operation: 'update-own-status',
  method: 'POST',
  path: '/users/me/status',
  access: 'human',
  params: {
    away: v.optional(v.pipe(jsonBoolean, v.description('Deprecated: the opposite of `presence_enabled`.'))),
    ...statusParameters,
  },
  returns: v.object({}),
  command: { apply: updateOwnStatus },
  audit: 'own',
})

function updateOwnStatus(tx: RealmTransaction, caller: Caller, params: StatusParams): object {
  const change = requireStatusChange(tx.sql, params)
  if (change.away !== undefined) changeUserSetting(tx, caller.user, 'presence_enabled', !change.away)
  changeStatus(tx, caller.user, change)
  return {}
}
