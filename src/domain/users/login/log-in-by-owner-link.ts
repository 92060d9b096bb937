import type { Command } from '../../../core/command.ts'
import { UnauthorizedError } from '../../../core/errors.ts'
import { isOwner } from '../../../permissions/roles.ts'
import type { Anyone } from '../../anyone.ts'
import { findUserByEmail } from '../user-rows.ts'
import { finishLogin } from './finish-login.ts'
import type { FinishedLogin, LoginEnd } from './login-proof.ts'

/**
 * Lets an owner in by a link that whoever runs the deployment has made: the way back where a provider or a second factor lets nobody in. Whoever
 * makes such links could read everything anyway; nobody else's account opens by one. Source: docs/interface/login.md#a-link-for-an-owner.
 */
export const logInByOwnerLink: Command<
  Anyone,
  { readonly email: string; readonly end: LoginEnd },
  void,
  FinishedLogin
> = {
  apply(tx, { source }, { email, end }) {
    const user = findUserByEmail(tx.sql, email)
    if (!user?.isActive || user.botType !== null || !isOwner(user)) {
      throw new UnauthorizedError('This link opens the account of an owner, and none has this address.')
    }
    return finishLogin(tx, user, { source, end, proof: { method: 'owner link' } })
  },
}
