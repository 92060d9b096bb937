import type { ReadCommand } from '../../core/command.ts'
import type { Caller } from '../caller.ts'
import { listPasskeys, type Passkey } from './passkey-rows.ts'
import { countRecoveryCodes } from './recovery-code-rows.ts'
import { mustHaveSecondFactor } from './second-factor-state.ts'
import { findTotp } from './totp-rows.ts'

export interface PresentedPasskey {
  readonly id: number
  readonly name: string
  readonly is_backed_up: boolean
  /** UNIX seconds. */
  readonly made_at: number
  readonly used_at: number | null
}

export interface PresentedFactors {
  readonly is_required: boolean
  /** When the authenticator app was set up (UNIX seconds); null without one. */
  readonly totp_made_at: number | null
  readonly recovery_codes_left: number
  readonly passkeys: readonly PresentedPasskey[]
}

/** Lists what the caller logs in with beside the password. Parley's own. */
export const getSecondFactors: ReadCommand<Caller, unknown, void, PresentedFactors> = {
  reads: true,
  apply({ sql }, { user }) {
    const totp = findTotp(sql, user.id)
    return {
      is_required: mustHaveSecondFactor(sql, user),
      totp_made_at: totp?.isConfirmed ? totp.madeAt : null,
      recovery_codes_left: countRecoveryCodes(sql, user.id),
      passkeys: listPasskeys(sql, user.id).map(presentPasskey),
    }
  },
}

function presentPasskey({ id, name, isBackedUp, madeAt, usedAt }: Passkey): PresentedPasskey {
  return { id, name, is_backed_up: isBackedUp, made_at: madeAt, used_at: usedAt }
}
