import type { Command } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import { requireMayResetSecondFactors } from '../../permissions/user-rules.ts'
import type { Caller } from '../caller.ts'
import { mailCredentialChange } from '../emails/account-mails.ts'
import { requireUserToAdminister } from '../users/visibility/access-user.ts'
import { deletePasskeysOf } from './passkey-rows.ts'
import { deleteRecoveryCodes } from './recovery-code-rows.ts'
import { hasSecondFactor } from './second-factor-state.ts'
import { deleteTotp } from './totp-rows.ts'

/** Takes the second factors of somebody away who has lost them. Parley's own. */
export const resetSecondFactors: Command<Caller, { readonly user_id: number }, void, object> = {
  apply(tx, caller, { user_id }) {
    const user = requireUserToAdminister(tx.sql, caller, user_id)
    requireMayResetSecondFactors(caller.actor, user)
    if (user.botType !== null) throw new BadRequestError('No such user')
    if (!hasSecondFactor(tx.sql, user.id))
      throw new BadRequestError('This user has no two-step verification.')
    deleteTotp(tx.sql, user.id)
    deletePasskeysOf(tx.sql, user.id)
    deleteRecoveryCodes(tx.sql, user.id)
    mailCredentialChange(tx, user, caller.source, 'factorsReset')
    return {}
  },
}
