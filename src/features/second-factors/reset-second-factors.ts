import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { pathInteger } from '../../api/parameter-types.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { mailCredentialChange } from '../../model/emails/account-mails.ts'
import { deleteSecondFactors } from '../../model/second-factors/change-second-factors.ts'
import { hasSecondFactor } from '../../model/second-factors/second-factor-state.ts'
import { requireUserToAdminister } from '../../model/users/visibility/visible-users.ts'
import { requireMayResetSecondFactors } from '../../rules/user-rules.ts'

/** Takes away the second factors of a user who has lost them. Parley's own. */
export const resetSecondFactorsEndpoint = defineEndpoint({
  operation: 'reset-second-factors',
  method: 'DELETE',
  path: '/users/:user_id/second_factors',
  access: 'administrator',
  needsProof: true,
  params: { user_id: pathInteger },
  returns: v.object({}),
  command: { apply: resetSecondFactors },
  audit: ({ params }) => ({ action: 'second_factors_reset', details: { user_id: params.user_id } }),
})

function resetSecondFactors(
  tx: RealmTransaction,
  caller: Caller,
  { user_id }: { readonly user_id: number },
): object {
  const user = requireUserToAdminister(tx.sql, caller, user_id)
  requireMayResetSecondFactors(caller.actor, user)
  if (user.botType !== null) throw new BadRequestError('No such user')
  if (!hasSecondFactor(tx.sql, user.id)) throw new BadRequestError('This user has no two-step verification.')
  deleteSecondFactors(tx, user.id)
  mailCredentialChange(tx, user, caller.source, 'factorsReset')
  return {}
}
