import type { Command } from '../../../core/command.ts'
import { BadRequestError } from '../../../core/errors.ts'
import { requireMayDeactivateUser } from '../../../permissions/user-rules.ts'
import type { Caller } from '../../caller.ts'
import { findUser, isOnlyOwner } from '../user-rows.ts'
import { requireUserToAdminister } from '../visibility/access-user.ts'
import { closeWithBots, openBotsOf } from './close-account.ts'
import { mailDeactivation } from './deactivation-mail.ts'
import { beginErasure, continueErasure, type ErasureActions } from './erase-account.ts'

export interface DeactivateUserParams {
  readonly user_id: number
  /** If present, the user is notified by mail; empty: without a comment. */
  readonly deactivation_notification_comment?: string
  /** What is deleted of the account; absent: nothing. */
  readonly actions?: ErasureActions
}

/** Outcome of a commit. The Worker asks for the next while it is open; the object goes on by itself if the Worker does not. */
export interface ErasedPart {
  readonly isOpen: boolean
}

/**
 * Closes a person's account; bots have an endpoint of their own. Source:
 * docs/interface/users.md#close-and-open-an-account.
 */
export const deactivateUser: Command<Caller, DeactivateUserParams, void, ErasedPart> = {
  apply(tx, caller, { user_id, deactivation_notification_comment: comment, actions }) {
    const user = requireUserToAdminister(tx.sql, caller, user_id)
    if (user.botType !== null) throw new BadRequestError('No such user')
    if (!user.isActive) throw new BadRequestError('User is deactivated')
    requireMayDeactivateUser(caller.actor, { ...user, isOnlyOwner: isOnlyOwner(tx.sql, user) })
    const bots = openBotsOf(tx.sql, user)
    closeWithBots(tx, user)
    if (comment !== undefined) mailDeactivation(tx, caller, user, comment)
    return { isOpen: actions !== undefined && beginErasure(tx, findUser(tx.sql, user.id)!, bots, actions) }
  },
}

/** Makes the next commit of an erasure that deletes thousands of messages. */
export const continueErasingUser: Command<Caller, { readonly user_id: number }, void, ErasedPart> = {
  apply(tx, caller, { user_id }) {
    const user = requireUserToAdminister(tx.sql, caller, user_id)
    return { isOpen: continueErasure(tx, user.id) }
  },
}
