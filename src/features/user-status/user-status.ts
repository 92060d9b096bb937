import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { WORD_LENGTH } from '../../api/input-limits.ts'
import {
  described,
  jsonBoolean,
  pathInteger,
  textUpTo,
  trimmedTextUpTo,
  word,
} from '../../api/parameter-types.ts'
import { userStatusEntries } from '../../events/presence.ts'
import { changeUserSetting } from '../../model/accounts/change-user-setting.ts'
import { changeStatus, requireStatusChange } from '../../model/user-status/change-status.ts'
import { presentStatus } from '../../model/user-status/present-status.ts'
import { requireUser, requireUserToAdminister, seesUser } from '../../model/users/visibility/visible-users.ts'
import { insufficientPermission } from '../../rules/roles.ts'
import { readStatus } from '../../store/presence/presence-and-status-rows.ts'

const MAX_STATUS_LENGTH = 60

/** Parts of a status; only given ones change. Source: docs/interface/users.md#status. */
const statusParameters = {
  status_text: v.optional(
    described(trimmedTextUpTo(MAX_STATUS_LENGTH), 'An empty text removes the status text.'),
  ),
  emoji_name: v.optional(textUpTo(WORD_LENGTH)),
  emoji_code: v.optional(word),
  reaction_type: v.optional(word),
}

/** Gets a user's status. Source: docs/interface/users.md#status. */
export const getUserStatusEndpoint = defineEndpoint({
  operation: 'get-user-status',
  route: 'GET /users/:user_id/status',
  access: 'user',
  params: { user_id: pathInteger },
  returns: v.object({ status: v.object(userStatusEntries) }),
  query(tx, caller, { user_id }) {
    const user = requireUser(tx.sql, user_id)
    if (!seesUser(tx, caller, user)) throw insufficientPermission()
    return { status: presentStatus(user, readStatus(tx.sql, user.id), caller.source.asksForSvc === true) }
  },
})

/**
 * Changes the caller's own status. `away` is an older way to hide one's presence, which is changed first.
 * Source: docs/interface/users.md#status.
 */
export const updateOwnStatusEndpoint = defineEndpoint({
  operation: 'update-own-status',
  route: 'POST /users/me/status',
  access: 'human',
  params: {
    away: v.optional(described(jsonBoolean, 'Deprecated: the opposite of `presence_enabled`.')),
    ...statusParameters,
  },
  apply(tx, caller, params) {
    const change = requireStatusChange(tx.sql, params)
    if (change.away !== undefined) changeUserSetting(tx, caller.user, 'presence_enabled', !change.away)
    changeStatus(tx, caller.user, change)
  },
  audit: 'own',
})

/** Sets another user's status, for administrators. Source: docs/interface/users.md#status. */
export const setUserStatusEndpoint = defineEndpoint({
  operation: 'set-user-status',
  route: 'POST /users/:user_id/status',
  access: 'administrator',
  params: { user_id: pathInteger, ...statusParameters },
  apply(tx, caller, { user_id, ...params }) {
    const user = requireUserToAdminister(tx.sql, caller, user_id)
    changeStatus(tx, user, requireStatusChange(tx.sql, params))
  },
  audit: 'shown',
})
