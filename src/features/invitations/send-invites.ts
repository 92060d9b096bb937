import * as v from 'valibot'
import { termsOf } from '../../api/audit-rules.ts'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { ADDRESSES_LENGTH } from '../../api/input-limits.ts'
import { jsonBoolean, textUpTo } from '../../api/parameter-types.ts'
import { ApiError, BadRequestError } from '../../core/errors.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { DAY } from '../../core/time.ts'
import type { Caller } from '../../model/caller.ts'
import { mailInvitations, scheduleReminder } from '../../model/invitations/invitation-mail.ts'
import { invalidInvitees, knownInvitees, splitInvitees } from '../../model/invitations/invitee-addresses.ts'
import { announceInvitesChanged } from '../../model/invitations/standing-invitation.ts'
import { withinQuota } from '../../model/quotas/within-quota.ts'
import { isTooNewToInvite, requireMayInvite } from '../../rules/invitation-rules.ts'
import { type Invitation, insertInvitation } from '../../store/invitations/invitation-rows.ts'
import { realmPermissions, realmProperties } from '../../store/realm/realm-setting-rows.ts'
import {
  channelIds,
  countInvitationMail,
  defaults,
  expiry,
  groups,
  INVITATION_PROOF,
  type InvitationTermsParams,
  invitationFailure,
  invitationTerms,
  inviteAs,
  reasonsFor,
  requireMayLeadTo,
  requireMayOffer,
  requireWithinDailyLimit,
  welcomeText,
} from './invitation-terms.ts'

/**
 * Invites people by mail. Errors in the order of docs/interface/invitations.md#invite-by-mail;
 * docs/decisions/interface.md#channels-groups-people. Source: docs/interface/invitations.md#invite-by-mail.
 */
export const sendInvitesEndpoint = defineEndpoint({
  operation: 'send-invites',
  route: 'POST /invites',
  access: 'human-member',
  ...INVITATION_PROOF,
  growsObject: true,
  params: {
    invitee_emails: v.optional(textUpTo(ADDRESSES_LENGTH)),
    ...expiry,
    ...inviteAs,
    notify_referrer_on_join: v.optional(jsonBoolean, 'true'),
    stream_ids: channelIds,
    ...groups,
    ...defaults,
    ...welcomeText,
  },
  apply(tx, caller, params): InvitationOutcome {
    requireMayInvite(caller.actor, realmPermissions(tx.sql))
    requireMayOffer(caller, params)
    const emails = splitInvitees(params.invitee_emails ?? '')
    if ((params.invitee_emails ?? '').trim() === '' || emails.length === 0) {
      throw new BadRequestError('You must specify at least one email address.')
    }
    if (emails.length > MAX_INVITED) {
      throw new BadRequestError(`At most ${MAX_INVITED} people can be invited at once.`)
    }
    requireMayLeadTo(tx, caller, params)
    requireWithinLimits(tx, caller, emails.length)
    const known = reasonsFor(caller.user, knownInvitees(tx.sql, emails))
    const invalid = reasonsFor(caller.user, invalidInvitees(tx.sql, emails))
    if (invalid.length > 0) {
      throw invitationFailure("Some emails did not validate, so we didn't send any invitations.", [
        ...invalid,
        ...known,
      ])
    }
    const invited = emails.filter((email) => !known.some(([taken]) => taken === email))
    if (invited.length === 0) throw invitationFailure("We weren't able to invite anyone.", known)
    countInvitationMail(tx, caller, invited)
    const invitations = withinQuota(tx, caller, 'invitations', () =>
      invited.map((email) => invite(tx, caller, params, email)),
    )
    mailInvitations(tx, invitations)
    announceInvitesChanged(tx, caller.user.id)
    if (known.length === 0) return {}
    const text =
      "Some of those addresses are already using Parley, so we didn't send them an invitation. We did send invitations to everyone else!"
    return { failure: invitationFailure(text, known, { sent: true }).toWire() }
  },
  audit: {
    whenChanged: ({ params }) => ({
      action: 'invitations_sent',
      details: {
        addresses: String(params.invitee_emails ?? '')
          .split(/[\s,]+/)
          .filter(Boolean).length,
        ...termsOf(params),
      },
    }),
  },
  /** If some people could not be invited, the client gets an error, but sent invitations stay. */
  async finish({ failure }) {
    if (failure) throw ApiError.fromWire(failure)
    return {}
  },
})

interface SendInvitationsParams extends InvitationTermsParams {
  readonly invitee_emails?: string
  readonly notify_referrer_on_join: boolean
}

/** Addresses in one request. Each is looked up, entered and mailed in the same commit: ten rows, some 0.2 ms. */
const MAX_INVITED = 200

/**
 * The outcome of a request to invite. A partial failure is answered as an error *and* keeps what was sent, so it must not roll the
 * transaction back: the endpoint turns it into the error.
 */
type InvitationOutcome = { readonly failure?: ReturnType<ApiError['toWire']> }

function invite(
  tx: RealmTransaction,
  caller: Caller,
  params: SendInvitationsParams,
  email: string,
): Omit<Invitation, 'id' | 'state'> {
  const invitation = {
    ...invitationTerms(tx, caller, params),
    kind: 'email' as const,
    secret: tx.randomHex(16),
    email,
    referrerId: caller.user.id,
    invitedAt: tx.now,
    notifiesReferrer: params.notify_referrer_on_join,
    origin: caller.source.origin,
  }
  scheduleReminder(tx, insertInvitation(tx.sql, invitation), invitation)
  return invitation
}

/** Checks the limits of steps 8 and 9. */
function requireWithinLimits(tx: RealmReads, { actor, user }: Caller, wanted: number): void {
  requireWithinDailyLimit(tx, wanted)
  const realm = realmProperties(tx.sql)
  if (isTooNewToInvite(actor, Math.floor((tx.now - user.joinedAt) / DAY), realm)) {
    throw invitationFailure(
      'Your account is too new to send invites for this organization. Ask an organization admin, or a more experienced user.',
      [],
    )
  }
}
