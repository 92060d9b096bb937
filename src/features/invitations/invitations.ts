import * as v from 'valibot'
import { termsOf } from '../../api/audit-rules.ts'
import { defineEndpoint, type ParametersOf } from '../../api/define-endpoint.ts'
import { described } from '../../api/parameter-types.ts'
import type { Command } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import { defineReader } from '../../core/reader.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import { secretText } from '../../core/secret-text.ts'
import type { Caller } from '../../model/caller.ts'
import { invitationUrl, mailInvitations } from '../../model/invitations/invitation-mail.ts'
import { announceInvitesChanged } from '../../model/invitations/standing-invitation.ts'
import { withinQuota } from '../../model/quotas/within-quota.ts'
import { isProven } from '../../model/second-factors/proven-browser.ts'
import { isAnyPowerful } from '../../model/user-groups/powerful-groups.ts'
import {
  mayInviteAs,
  requireMayCreateInviteLink,
  requireMayManageInvitation,
} from '../../rules/invitation-rules.ts'
import { isAboveMember, isAdministrator, ROLE_VALUES } from '../../rules/roles.ts'
import {
  findInvitation,
  INVITATION_KINDS,
  type Invitation,
  type InvitationKind,
  insertInvitation,
  listOpenInvitations,
  type OpenInvitations,
  setInvitationState,
} from '../../store/invitations/invitation-rows.ts'
import { realmPermissions } from '../../store/realm/realm-setting-rows.ts'
import type { User } from '../../store/users/user-rows.ts'
import {
  channelIds,
  countInvitationMail,
  countResent,
  defaults,
  expiry,
  groups,
  INVITATION_PROOF,
  invitationPath,
  invitationTerms,
  inviteAs,
  requireMayLeadTo,
  requireMayOffer,
  welcomeText,
} from './invitation-terms.ts'

const terms = {
  id: v.number(),
  invited_by_user_id: v.number(),
  invited: described(v.number(), 'UNIX seconds.'),
  expiry_date: v.nullable(described(v.number(), 'UNIX seconds; null if it never expires.')),
  invited_as: v.picklist(ROLE_VALUES),
  welcome_message_custom_text: v.nullable(v.string()),
}

/** A link for anyone, or a mail to one address. Each kind has its own ids. */
const invitation = v.variant('is_multiuse', [
  v.object({
    ...terms,
    is_multiuse: v.literal(true),
    link_url: described(
      secretText(),
      'Empty for a browser whose user has not proved lately who it is, if the link gives more than a member has.',
    ),
  }),
  v.object({
    ...terms,
    is_multiuse: v.literal(false),
    email: v.string(),
    notify_referrer_on_join: v.boolean(),
  }),
])

/** Listing, revoking and repeating invitations; links for anyone. Source: docs/interface/invitations.md#manage-invitations. */

/**
 * Lists open invitations: all for administrators, their own for others. Anyone who sees a link can use it, so nobody sees one with a role
 * above their own. Source: docs/interface/invitations.md#manage-invitations.
 */
export const getInvitesEndpoint = defineEndpoint({
  operation: 'get-invites',
  route: 'GET /invites',
  access: 'member',
  largeAnswer: true,
  returns: v.object({ invites: v.array(invitation) }),
  query(tx, { user, actor, source }) {
    const open = tx.use(openInvitations, { now: tx.now, origin: source.origin, ...ownAlone(user) })
    const mayTake = ({ kind, inviteAs }: Listed) => kind !== 'link' || mayInviteAs(actor, inviteAs)
    const shown = open.filter(mayTake)
    if (isProven(tx, source)) return { invites: shown.map(({ presented }) => presented) }
    return {
      invites: shown.map(({ kind, inviteAs, groupIds, presented }) => {
        const isPower = isAboveMember({ role: inviteAs }) || isAnyPowerful(tx, groupIds)
        return kind === 'link' && isPower ? { ...presented, link_url: '' } : presented
      }),
    }
  },
})

/** Creates a link with which anyone may join. Source: docs/interface/invitations.md#links. */
export const createInviteLinkEndpoint = defineEndpoint({
  operation: 'create-invite-link',
  route: 'POST /invites/multiuse',
  access: 'human-member',
  ...INVITATION_PROOF,
  growsObject: true,
  params: {
    ...expiry,
    ...inviteAs,
    stream_ids: v.optional(channelIds, '[]'),
    ...groups,
    ...defaults,
    ...welcomeText,
  },
  returns: v.object({ invite_link: secretText() }),
  apply(tx, caller, params) {
    requireMayCreateInviteLink(caller.actor, realmPermissions(tx.sql))
    requireMayOffer(caller, params)
    requireMayLeadTo(tx, caller, params)
    const invitation = {
      ...invitationTerms(tx, caller, params),
      kind: 'link' as const,
      secret: tx.randomHex(16),
      email: null,
      referrerId: caller.user.id,
      invitedAt: tx.now,
      notifiesReferrer: false,
      origin: caller.source.origin,
    }
    withinQuota(tx, caller, 'invitations', () => insertInvitation(tx.sql, invitation))
    announceInvitesChanged(tx, caller.user.id)
    return { invite_link: invitationUrl(caller.source.origin, invitation) }
  },
  audit: {
    whenChanged: ({ params }) => ({
      action: 'invitation_link_created',
      details: termsOf(params),
    }),
  },
})

/** Mails the same link again, without extending its validity. Source: docs/interface/invitations.md#manage-invitations. */
export const resendEmailInviteEndpoint = defineEndpoint({
  operation: 'resend-email-invite',
  route: 'POST /invites/:invite_id/resend',
  access: 'human-member',
  params: invitationPath,
  apply(tx, caller, { invite_id }) {
    const invitation = requireInvitation(tx, caller, 'email', invite_id)
    countResent(tx, caller.source)
    countInvitationMail(tx, caller, [invitation.email!])
    mailInvitations(tx, [invitation])
  },
  audit: { because: 'It repeats a mail that was recorded when it was first sent.' },
})

const revokeInvitation = revoke('email')

/** Revokes an invitation by mail. Source: docs/interface/invitations.md#manage-invitations. */
export const revokeEmailInviteEndpoint = defineEndpoint({
  operation: 'revoke-email-invite',
  route: 'DELETE /invites/:invite_id',
  access: 'human-member',
  params: invitationPath,
  command: revokeInvitation,
  audit: ({ params }) => ({
    action: 'invitation_revoked',
    details: { invite_id: params.invite_id, is_multiuse: false },
  }),
})

const revokeInviteLink = revoke('link')

/** Revokes an invitation link. Source: docs/interface/invitations.md#links. */
export const revokeInviteLinkEndpoint = defineEndpoint({
  operation: 'revoke-invite-link',
  route: 'DELETE /invites/multiuse/:invite_id',
  access: 'human-member',
  params: invitationPath,
  command: revokeInviteLink,
  audit: ({ params }) => ({
    action: 'invitation_revoked',
    details: { invite_id: params.invite_id, is_multiuse: true },
  }),
})

const INVITATIONS_AT_A_TIME = 200

interface Listed extends Pick<Invitation, 'kind' | 'inviteAs' | 'groupIds'> {
  readonly presented: object
}

/** The invitations that are open at a given time: everyone's, or one referrer's. */
const openInvitations = defineReader({
  name: 'open invitations',
  key: ({ now, origin, referrerId }: OpenInvitations & { readonly origin: string }) =>
    `${now} ${referrerId} ${origin}`,
  *read({ sql }, { origin, ...open }) {
    const listed: Listed[] = []
    for (const kind of INVITATION_KINDS) {
      for (let above = 0; ; ) {
        const page = listOpenInvitations(sql, kind, open, { above, limit: INVITATIONS_AT_A_TIME })
        for (const invitation of page) {
          const { inviteAs, groupIds } = invitation
          listed.push({ kind, inviteAs, groupIds, presented: presentInvitation(invitation, origin) })
        }
        if (page.length < INVITATIONS_AT_A_TIME) break
        above = page.at(-1)!.id
        yield
      }
    }
    return listed
  },
})

function ownAlone(user: User): { readonly referrerId?: number } {
  return isAdministrator(user) ? {} : { referrerId: user.id }
}

function presentInvitation(invitation: Invitation, origin: string): object {
  return {
    id: invitation.id,
    invited_by_user_id: invitation.referrerId,
    invited: invitation.invitedAt,
    expiry_date: invitation.expiresAt,
    invited_as: invitation.inviteAs,
    is_multiuse: invitation.kind === 'link',
    welcome_message_custom_text: invitation.welcomeText,
    ...(invitation.kind === 'link'
      ? { link_url: invitationUrl(origin, invitation) }
      : { email: invitation.email, notify_referrer_on_join: invitation.notifiesReferrer }),
  }
}

function revoke(kind: InvitationKind): Command<Caller, ParametersOf<typeof invitationPath>, void> {
  return {
    apply(tx, caller, { invite_id }) {
      const invitation = requireInvitation(tx, caller, kind, invite_id)
      setInvitationState(tx.sql, invitation, 'revoked')
      announceInvitesChanged(tx, invitation.referrerId)
    },
  }
}

function requireInvitation(tx: RealmReads, { actor }: Caller, kind: InvitationKind, id: number): Invitation {
  const invitation = findInvitation(tx.sql, kind, id)
  // Only administrators see other people's invitations; those that they may not change are refused with another error.
  const isShown = invitation && (isAdministrator(actor) || invitation.referrerId === actor.id)
  if (!isShown) throw new BadRequestError('No such invitation')
  requireMayManageInvitation(actor, { invitedById: invitation.referrerId, invitedAs: invitation.inviteAs })
  if (invitation.state === 'revoked' && kind === 'link') {
    throw new BadRequestError('Invitation has already been revoked')
  }
  if (invitation.state !== 'pending') throw new BadRequestError('No such invitation')
  return invitation
}
