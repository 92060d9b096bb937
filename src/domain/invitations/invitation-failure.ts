import { ApiError } from '../../core/errors.ts'
import type { InviteeError } from './invitee-addresses.ts'

/** INVITATION_FAILED always has its four fields; there is no license to run out of. Source: docs/interface/invitations.md#invite-by-mail. */
export function invitationFailure(
  msg: string,
  errors: readonly InviteeError[],
  { sent = false, dailyLimit = false } = {},
): ApiError {
  return new ApiError('INVITATION_FAILED', msg, {
    errors,
    sent_invitations: sent,
    daily_limit_reached: dailyLimit,
    license_limit_reached: false,
  })
}
