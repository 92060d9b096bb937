import type { Command } from '../../../core/command.ts'
import { ApiError } from '../../../core/errors.ts'
import type { Sql } from '../../../core/sql.ts'
import type { Caller } from '../../caller.ts'
import { isOnlyOwner, isOnlyPerson, type User } from '../user-rows.ts'
import { closeWithBots } from './close-account.ts'

/** Closes the caller's own account. Source: docs/interface/users.md#close-and-open-an-account. */
export const deactivateOwnUser: Command<Caller, unknown, void, object> = {
  apply(tx, { user }) {
    requireNotLast(tx.sql, user)
    closeWithBots(tx, user)
    return {}
  },
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
