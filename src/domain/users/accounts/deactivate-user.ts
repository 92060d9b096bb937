import type { Command } from '../../../core/command.ts'
import { BadRequestError } from '../../../core/errors.ts'
import { requireMayDeactivateUser } from '../../../permissions/user-rules.ts'
import type { Caller } from '../../caller.ts'
import { findUser, isOnlyOwner } from '../user-rows.ts'
import { requireUserToAdminister } from '../visibility/access-user.ts'
import { closeWithBots, openBotsOf } from './close-account.ts'
import { mailDeactivation } from './deactivation-mail.ts'
import { type ErasureActions, erase } from './erase-account.ts'

export interface DeactivateUserParams {
  readonly user_id: number
  /** If present, the user is notified by mail; empty: without a comment. */
  readonly deactivation_notification_comment?: string
  /** What is deleted of the account; absent: nothing. */
  readonly actions?: ErasureActions
}

/**
 * Closes a person's account; bots have an endpoint of their own. Source:
 * docs/interface/users.md#close-and-open-an-account.
 */
export const deactivateUser: Command<Caller, DeactivateUserParams, void, object> = {
  apply(tx, caller, { user_id, deactivation_notification_comment: comment, actions }) {
    const user = requireUserToAdminister(tx.sql, caller, user_id)
    if (user.botType !== null) throw new BadRequestError('No such user')
    if (!user.isActive) throw new BadRequestError('User is deactivated')
    requireMayDeactivateUser(caller.actor, { ...user, isOnlyOwner: isOnlyOwner(tx.sql, user) })
    const bots = openBotsOf(tx.sql, user)
    closeWithBots(tx, user)
    if (comment !== undefined) mailDeactivation(tx, caller, user, comment)
    if (actions !== undefined) erase(tx, findUser(tx.sql, user.id)!, bots, actions)
    return {}
  },
}
