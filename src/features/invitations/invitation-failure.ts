import { ApiError } from '../../core/errors.ts'
import type { InviteeError } from '../../model/invitations/invitee-addresses.ts'

/**
 * Returns INVITATION_FAILED with its four fields; there are no licenses that could run out. Source:
 * docs/interface/invitations.md#invite-by-mail.
 */
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
