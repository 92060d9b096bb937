import type { Command } from '../../../core/command.ts'
import { BadRequestError } from '../../../core/errors.ts'
import { requireMayDeactivateUser } from '../../../permissions/user-rules.ts'
import type { Caller } from '../../caller.ts'
import { isOnlyOwner } from '../user-rows.ts'
import { requireUserToAdminister } from '../visibility/access-user.ts'
import { closeWithBots } from './close-account.ts'
import { mailDeactivation } from './deactivation-mail.ts'

export interface DeactivateUserParams {
  readonly user_id: number
  /** If present, the user is notified by mail; empty: without a comment. */
  readonly deactivation_notification_comment?: string
}

/**
 * Closes a person's account; bots have an endpoint of their own. Source:
 * docs/interface/users.md#close-and-open-an-account.
 */
export const deactivateUser: Command<Caller, DeactivateUserParams, void, object> = {
  apply(tx, caller, { user_id, deactivation_notification_comment: comment }) {
    const user = requireUserToAdminister(tx.sql, caller, user_id)
    if (user.botType !== null) throw new BadRequestError('No such user')
    if (!user.isActive) throw new BadRequestError('User is deactivated')
    requireMayDeactivateUser(caller.actor, { ...user, isOnlyOwner: isOnlyOwner(tx.sql, user) })
    closeWithBots(tx, user)
    if (comment !== undefined) mailDeactivation(tx, caller, user, comment)
    return {}
  },
}
