import * as v from 'valibot'
import type { ParametersOf } from '../../api/define-endpoint.ts'
import { MAX_VALIDITY_MINUTES, PROSE_LENGTH } from '../../api/input-limits.ts'
import { integer, json, jsonBoolean, listUpTo, pathInteger, textUpTo } from '../../api/parameter-types.ts'
import type { RequestSource } from '../../core/call.ts'
import { ApiError, BadRequestError } from '../../core/errors.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { refusalText } from '../../core/refusal-text.ts'
import { isLongerThan } from '../../core/text-length.ts'
import { DAY } from '../../core/time.ts'
import type { Caller } from '../../model/caller.ts'
import { countMailToStrangers, keptMailSeconds } from '../../model/emails/mail-limits.ts'
import type { InviteeError } from '../../model/invitations/invitee-addresses.ts'
import { isAnyPowerful } from '../../model/user-groups/powerful-groups.ts'
import {
  mayWriteWelcomeText,
  requireMayInviteAs,
  requireMayInviteToChannels,
  requireMayInviteToGroups,
} from '../../rules/invitation-rules.ts'
import { isAboveMember, ROLE_VALUES } from '../../rules/roles.ts'
import { attemptsWithin, insertAttempt, sweepAttempts } from '../../store/attempts/attempt-rows.ts'
import { findChannel } from '../../store/channels/channel-rows.ts'
import { countInvitationsSince, type Invitation } from '../../store/invitations/invitation-rows.ts'
import { MAX_WELCOME_TEXT_LENGTH } from '../../store/realm/realm-properties.ts'
import { realmPermissions, realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { isSubscribed } from '../../store/subscriptions/subscriber-rows.ts'
import { findGroup } from '../../store/user-groups/user-group-rows.ts'
import { refusalLanguageOf } from '../../store/users/settings/user-setting-rows.ts'
import type { User } from '../../store/users/user-rows.ts'

const minutes = json(v.nullable(v.pipe(integer, v.minValue(0), v.maxValue(MAX_VALIDITY_MINUTES))))
const role = v.optional(json(v.picklist(ROLE_VALUES)), '400')

/**
 * Channels, and groups, of an invitation: it is stored with all of them for each address, and the new user joins them in the commit that
 * creates the account.
 */
const MAX_OF_AN_INVITATION = 500

/** Parameters that invitations by mail and by link share. */
export const expiry = { invite_expires_in_minutes: v.optional(minutes) }
export const inviteAs = { invite_as: role }
export const channelIds = json(listUpTo(MAX_OF_AN_INVITATION, integer))
export const groups = { group_ids: v.optional(json(listUpTo(MAX_OF_AN_INVITATION, integer))) }
export const defaults = { include_realm_default_subscriptions: v.optional(jsonBoolean, 'false') }

/** A text, or null for the organization's own; the bare word `null` is null too (docs/decisions/interface.md#conventions). */
export const welcomeText = {
  welcome_message_custom_text: v.optional(
    v.pipe(
      textUpTo(PROSE_LENGTH),
      v.transform((text): string | null => (text === 'null' ? null : text)),
    ),
  ),
}

export const invitationPath = { invite_id: pathInteger }

/** The role, channels and groups that an invitation grants. */
export type InvitationTermsParams = ParametersOf<
  typeof expiry & typeof inviteAs & typeof groups & typeof defaults & typeof welcomeText
> & { readonly stream_ids: readonly number[] }

/** Default in minutes: ten days (docs/interface/conventions.md#limits). */
const DEFAULT_VALIDITY_MINUTES = 14_400

export type InvitationTerms = Pick<
  Invitation,
  'expiresAt' | 'inviteAs' | 'channelIds' | 'groupIds' | 'joinsDefaultChannels' | 'welcomeText'
>

/** Whether an invitation gives whoever takes it more than a member has: a role, or a group with a permission of the organization. */
export const INVITATION_PROOF = {
  needsProof: ({ invite_as }: Pick<InvitationTermsParams, 'invite_as'>) => isAboveMember({ role: invite_as }),
  needsProofFor: (tx: RealmReads, { group_ids = [] }: Pick<InvitationTermsParams, 'group_ids'>) =>
    isAnyPowerful(tx, group_ids),
}

/** Refuses a role or a welcome text that the inviter may not choose (docs/interface/invitations.md#invite-by-mail, steps 2 and 3). */
export function requireMayOffer({ actor }: Caller, params: InvitationTermsParams): void {
  requireMayInviteAs(actor, params.invite_as)
  const text = params.welcome_message_custom_text
  // A welcome text by anyone but administrators is ignored, even if too long (docs/decisions/interface.md#channels-groups-people).
  if (text && mayWriteWelcomeText(actor) && isLongerThan(text, MAX_WELCOME_TEXT_LENGTH)) {
    throw new BadRequestError(
      `welcome_message_custom_text is too long (limit: ${MAX_WELCOME_TEXT_LENGTH} characters)`,
    )
  }
}

/** Refuses channels and groups that the inviter may not offer (steps 6 and 7). */
export function requireMayLeadTo(tx: RealmReads, caller: Caller, params: InvitationTermsParams): void {
  const permissions = realmPermissions(tx.sql)
  requireMayInviteToChannels(
    caller.actor,
    params.stream_ids.map((id) => {
      const channel = findChannel(tx.sql, id)
      return {
        id,
        channel,
        isSubscribed: isSubscribed(tx.sql, id, caller.user.id),
        isDefault: channel?.isDefault ?? false,
      }
    }),
    permissions,
  )
  requireMayInviteToGroups(
    caller.actor,
    (params.group_ids ?? []).map((id) => findGroup(tx.sql, id)),
    permissions,
  )
}

export function invitationTerms(
  tx: RealmReads,
  { actor }: Caller,
  params: InvitationTermsParams,
): InvitationTerms {
  const minutes =
    params.invite_expires_in_minutes === undefined
      ? DEFAULT_VALIDITY_MINUTES
      : params.invite_expires_in_minutes
  return {
    expiresAt: minutes === null ? null : Math.floor(tx.now + minutes * 60),
    inviteAs: params.invite_as,
    channelIds: [...new Set(params.stream_ids)],
    groupIds: [...new Set(params.group_ids ?? [])],
    joinsDefaultChannels: params.include_realm_default_subscriptions,
    welcomeText: mayWriteWelcomeText(actor) ? (params.welcome_message_custom_text ?? null) : null,
  }
}

/**
 * Invitations by mail per day in an organization that anyone may join, so that mail to strangers is limited
 * (docs/interface/conventions.md#limits).
 */
const INVITATIONS_PER_DAY = 100

/** The name under which repeated invitations are counted among requests for mail. */
const RESENT = 'resent invitations'

/**
 * Throws INVITATION_FAILED if this number of further invitations by mail exceeds the limit. Source:
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
 * Counts the invitation mails to these addresses. Throws INVITATION_FAILED if some of them have already got too many, from any inviters.
 * Source: docs/interface/invitations.md#invite-by-mail, step 13.
 */
export function countInvitationMail(
  tx: RealmTransaction,
  { source, user }: Caller,
  addresses: readonly string[],
): void {
  const refused = countMailToStrangers(tx, source, addresses)
  if (refused.length === 0) return
  throw limitReached(
    reasonsFor(
      user,
      refused.map((email) => [email, 'Has been sent too much mail today.', false]),
    ),
  )
}

/** Returns the addresses that cannot be invited, with the reasons in the reader's language. */
export function reasonsFor(reader: Pick<User, 'settings'>, errors: readonly InviteeError[]): InviteeError[] {
  const language = refusalLanguageOf(reader)
  return errors.map(([address, reason, isDeactivated]) => [
    address,
    refusalText(reason, language),
    isDeactivated,
  ])
}

/** Counts a repeated invitation by mail as a further one. Source: docs/interface/invitations.md#manage-invitations. */
export function countResent(tx: RealmTransaction, source: RequestSource): void {
  requireWithinDailyLimit(tx, 1)
  sweepAttempts(tx.sql, 'mail_request', tx.now - keptMailSeconds(source))
  insertAttempt(tx.sql, 'mail_request', RESENT, tx.now)
}

/** Returns INVITATION_FAILED with its four fields; there is no license limit. Source: docs/interface/invitations.md#invite-by-mail. */
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
