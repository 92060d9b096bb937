import { BadRequestError } from '../../core/errors.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import { isLongerThan } from '../../core/text-length.ts'
import type { Caller } from '../../model/caller.ts'
import {
  mayWriteWelcomeText,
  requireMayInviteAs,
  requireMayInviteToChannels,
  requireMayInviteToGroups,
} from '../../rules/invitation-rules.ts'
import type { Role } from '../../rules/roles.ts'
import { findChannel } from '../../store/channels/channel-rows.ts'
import type { Invitation } from '../../store/invitations/invitation-rows.ts'
import { MAX_WELCOME_TEXT_LENGTH } from '../../store/realm/realm-properties.ts'
import { realmPermissions } from '../../store/realm/realm-setting-rows.ts'
import { isSubscribed } from '../../store/subscriptions/subscriber-rows.ts'
import { findGroup } from '../../store/user-groups/user-group-rows.ts'

/** Role, channels and groups that an invitation gives, by mail or by link. */
export interface InvitationTermsParams {
  /** Null: never; absent: the server's default. */
  readonly invite_expires_in_minutes?: number | null
  readonly invite_as: Role
  readonly stream_ids: readonly number[]
  readonly group_ids?: readonly number[]
  readonly include_realm_default_subscriptions: boolean
  readonly welcome_message_custom_text?: string | null
}

/** Default in minutes: ten days (docs/interface/conventions.md#limits). */
const DEFAULT_VALIDITY_MINUTES = 14_400

export type InvitationTerms = Pick<
  Invitation,
  'expiresAt' | 'inviteAs' | 'channelIds' | 'groupIds' | 'joinsDefaultChannels' | 'welcomeText'
>

/** Refuses a role or a welcome text that the inviter may not give (docs/interface/invitations.md#invite-by-mail, steps 2 and 3). */
export function requireMayOffer({ actor }: Caller, params: InvitationTermsParams): void {
  requireMayInviteAs(actor, params.invite_as)
  const text = params.welcome_message_custom_text
  // A welcome text of anybody but administrators is ignored, even if too long
  // (docs/decisions/interface.md#channels-groups-people).
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
