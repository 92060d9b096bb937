import type { RequestSource } from '../../core/call.ts'
import { ApiError } from '../../core/errors.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { DAY } from '../../core/time.ts'
import { countMailToStrangers, keptMailSeconds } from '../../model/emails/mail-limits.ts'
import type { InviteeError } from '../../model/invitations/invitee-addresses.ts'
import { attemptsWithin, insertAttempt, sweepAttempts } from '../../store/attempts/attempt-rows.ts'
import { countInvitationsSince } from '../../store/invitations/invitation-rows.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'

/**
 * Number of invitations by mail that an organization sends in a day, where anybody may join: otherwise mail
 * could be sent to strangers without end (docs/interface/conventions.md#limits).
 */
const INVITATIONS_PER_DAY = 100

/** Name under which repeated invitations are counted among the requests for mail. */
const RESENT = 'resent invitations'

/**
 * Throws INVITATION_FAILED when this number of further invitations by mail exceeds the limit. Source:
 * docs/interface/invitations.md#invite-by-mail, step 8.
 */
export function requireWithinDailyLimit(tx: RealmReads, wanted: number): void {
  if (realmProperty(tx.sql, 'invite_required')) return
  const since = tx.now - DAY
  const resent = attemptsWithin(tx.sql, 'mail_request', RESENT, { seconds: DAY, now: tx.now }).length
  if (countInvitationsSince(tx.sql, since) + resent + wanted <= INVITATIONS_PER_DAY) return
  throw limitReached([])
}

function limitReached(errors: readonly InviteeError[]): ApiError {
  return invitationFailure(
    'To protect users, Parley limits the number of invitations you can send in one day. Because you have reached the limit, no invitations were sent.',
    errors,
    { dailyLimit: true },
  )
}

/**
 * Counts the mails of invitations to these addresses. Throws INVITATION_FAILED when some of them have got too many already, from
 * whomever. Source: docs/interface/invitations.md#invite-by-mail, step 13.
 */
export function countInvitationMail(
  tx: RealmTransaction,
  source: RequestSource,
  addresses: readonly string[],
): void {
  const refused = countMailToStrangers(tx, source, addresses)
  if (refused.length === 0) return
  throw limitReached(refused.map((email) => [email, 'Has been sent too much mail today.', false]))
}

/**
 * Counts a repeated invitation by mail as one more. Source: docs/interface/invitations.md#manage-invitations.
 */
export function countResent(tx: RealmTransaction, source: RequestSource): void {
  requireWithinDailyLimit(tx, 1)
  sweepAttempts(tx.sql, 'mail_request', tx.now - keptMailSeconds(source))
  insertAttempt(tx.sql, 'mail_request', RESENT, tx.now)
}

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
