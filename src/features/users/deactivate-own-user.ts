import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { ApiError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import type { Caller } from '../../model/caller.ts'
import { closeWithBots } from '../../model/users/accounts/close-account.ts'
import { isOnlyOwner, isOnlyPerson, type User } from '../../store/users/user-rows.ts'

/** Closes the caller's own account. Source: docs/interface/users.md#close-and-open-an-account. */
export const deactivateOwnUserEndpoint = defineEndpoint({
  operation: 'deactivate-own-user',
  method: 'DELETE',
  path: '/users/me',
  access: 'human',
  needsProof: true,
  params: {},
  returns: v.object({}),
  command: { apply: deactivateOwnUser },
  audit: ({ actorId }) => ({
    action: 'user_deactivated',
    details: { user_id: actorId },
  }),
})

function deactivateOwnUser(tx: RealmTransaction, { user }: Caller): object {
  requireNotLast(tx.sql, user)
  closeWithBots(tx, user)
  return {}
}

function requireNotLast(sql: Sql, user: User): void {
  if (isOnlyOwner(sql, user)) throw new CannotDeactivateLastUserError(true)
  if (isOnlyPerson(sql, user)) throw new CannotDeactivateLastUserError(false)
}

class CannotDeactivateLastUserError extends ApiError {
  constructor(isLastOwner: boolean) {
    const entity = isLastOwner ? 'organization owner' : 'user'
    super('CANNOT_DEACTIVATE_LAST_USER', `Cannot deactivate the only ${entity}.`, {
      is_last_owner: isLastOwner,
      entity,
    })
  }
}
