import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { integer } from '../../api/parameter-types.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { mustHaveSecondFactor } from '../../model/second-factors/second-factor-state.ts'
import { listPasskeys, type Passkey } from '../../store/second-factors/passkey-rows.ts'
import { countRecoveryCodes } from '../../store/second-factors/recovery-code-rows.ts'
import { findTotp } from '../../store/second-factors/totp-rows.ts'

/** Lists what the caller logs in with beside the password. Parley's own. */
export const getSecondFactorsEndpoint = defineEndpoint({
  operation: 'get-second-factors',
  method: 'GET',
  path: '/second_factors',
  access: 'human',
  params: {},
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
  command: { reads: true, apply: getSecondFactors },
})

interface PresentedPasskey {
  readonly id: number
  readonly name: string
  readonly is_backed_up: boolean
  /** UNIX seconds. */
  readonly made_at: number
  readonly used_at: number | null
}

interface PresentedFactors {
  readonly is_required: boolean
  /** When the authenticator app was set up (UNIX seconds); null without one. */
  readonly totp_made_at: number | null
  readonly recovery_codes_left: number
  readonly passkeys: readonly PresentedPasskey[]
}

function getSecondFactors({ sql }: RealmReads, { user }: Caller): PresentedFactors {
  const totp = findTotp(sql, user.id)
  return {
    is_required: mustHaveSecondFactor(sql, user),
    totp_made_at: totp?.isConfirmed ? totp.madeAt : null,
    recovery_codes_left: countRecoveryCodes(sql, user.id),
    passkeys: listPasskeys(sql, user.id).map(presentPasskey),
  }
}

function presentPasskey({ id, name, isBackedUp, madeAt, usedAt }: Passkey): PresentedPasskey {
  return { id, name, is_backed_up: isBackedUp, made_at: madeAt, used_at: usedAt }
}
