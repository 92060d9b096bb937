import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { integer, pathInteger } from '../../api/parameter-types.ts'
import { BadRequestError } from '../../core/errors.ts'
import { mailCredentialChange } from '../../model/emails/account-mails.ts'
import { deleteSecondFactors } from '../../model/second-factors/change-second-factors.ts'
import { hasSecondFactor, mustHaveSecondFactor } from '../../model/second-factors/second-factor-state.ts'
import { requireUserToAdminister } from '../../model/users/visibility/visible-users.ts'
import { requireMayResetSecondFactors } from '../../rules/user-rules.ts'
import {
  countRecoveryCodes,
  findTotp,
  listPasskeys,
  listUsersWithPasskey,
  listUsersWithTotp,
  type Passkey,
} from '../../store/second-factors/second-factor-rows.ts'

/** Lists the caller's second factors. Parley's own. */
export const getSecondFactorsEndpoint = defineEndpoint({
  operation: 'get-second-factors',
  route: 'GET /second_factors',
  access: 'human',
  returns: v.object({
    is_required: v.boolean(),
    totp_made_at: v.nullable(integer),
    recovery_codes_left: integer,
    passkeys: v.array(
      v.object({
        id: integer,
        name: v.string(),
        is_backed_up: v.boolean(),
        made_at: integer,
        used_at: v.nullable(integer),
      }),
    ),
  }),
  query({ sql }, { user }) {
    const totp = findTotp(sql, user.id)
    return {
      is_required: mustHaveSecondFactor(sql, user),
      totp_made_at: totp?.isConfirmed ? totp.madeAt : null,
      recovery_codes_left: countRecoveryCodes(sql, user.id),
      passkeys: listPasskeys(sql, user.id).map(presentPasskey),
    }
  },
})

function presentPasskey({ id, name, isBackedUp, madeAt, usedAt }: Passkey) {
  return { id, name, is_backed_up: isBackedUp, made_at: madeAt, used_at: usedAt }
}

/** Lists the users with a second factor, for administrators who want to know whether they can require one. Parley's own. */
export const getUsersWithSecondFactorsEndpoint = defineEndpoint({
  operation: 'get-users-with-second-factors',
  route: 'GET /second_factors/users',
  access: 'administrator',
  returns: v.object({ user_ids: v.array(v.number()) }),
  query({ sql }) {
    const ids = new Set([...listUsersWithTotp(sql), ...listUsersWithPasskey(sql)])
    return { user_ids: [...ids].sort((a, b) => a - b) }
  },
})

/** Removes the second factors of a user who has lost them. Parley's own. */
export const resetSecondFactorsEndpoint = defineEndpoint({
  operation: 'reset-second-factors',
  route: 'DELETE /users/:user_id/second_factors',
  access: 'administrator',
  needsProof: true,
  params: { user_id: pathInteger },
  apply(tx, caller, { user_id }) {
    const user = requireUserToAdminister(tx.sql, caller, user_id)
    requireMayResetSecondFactors(caller.actor, user)
    if (user.botType !== null) throw new BadRequestError('No such user')
    if (!hasSecondFactor(tx.sql, user.id))
      throw new BadRequestError('This user has no two-step verification.')
    deleteSecondFactors(tx, user.id)
    mailCredentialChange(tx, user, caller.source, 'factorsReset')
  },
  audit: ({ params }) => ({ action: 'second_factors_reset', details: { user_id: params.user_id } }),
})
