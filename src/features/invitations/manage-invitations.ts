import type { Command, ReadCommand } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import { defineReader } from '../../core/reader.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { announceInvitesChanged } from '../../model/invitations/end-invitations.ts'
import { invitationUrl, mailInvitations } from '../../model/invitations/invitation-mail.ts'
import { withinQuota } from '../../model/quotas/within-quota.ts'
import {
  mayInviteAs,
  requireMayCreateInviteLink,
  requireMayManageInvitation,
} from '../../rules/invitation-rules.ts'
import { isAdministrator } from '../../rules/roles.ts'
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
import { countInvitationMail, countResent } from './daily-limit.ts'
import {
  type InvitationTermsParams,
  invitationTerms,
  requireMayLeadTo,
  requireMayOffer,
} from './invitation-terms.ts'

/**
 * Listing, revoking and repeating invitations; links for anybody. Source:
 * docs/interface/invitations.md#manage-invitations.
 */

/**
 * Lists invitations: all for administrators, their own for others. Anybody who sees a link can use it, so
 * nobody sees one to a role above their own.
 */
export const getInvitations: ReadCommand<Caller, object, void, { invites: object[] }> = {
  reads: true,
  apply(tx, { user, actor, source }) {
    const open = tx.use(openInvitations, { now: tx.now, origin: source.origin, ...ownAlone(user) })
    const mayTake = ({ kind, inviteAs }: Listed) => kind !== 'link' || mayInviteAs(actor, inviteAs)
    return { invites: open.filter(mayTake).map(({ presented }) => presented) }
  },
}

const INVITATIONS_AT_A_TIME = 200

interface Listed extends Pick<Invitation, 'kind' | 'inviteAs'> {
  readonly presented: object
}

/** Invitations that are open at a time: of everybody, or of one referrer. */
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
          const { inviteAs } = invitation
          listed.push({ kind, inviteAs, presented: presentInvitation(invitation, origin) })
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

export const createInviteLink: Command<Caller, InvitationTermsParams, void, { invite_link: string }> = {
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
}

interface InvitationParams {
  readonly invite_id: number
}

function revoke(kind: InvitationKind): Command<Caller, InvitationParams, void, object> {
  return {
    apply(tx, caller, { invite_id }) {
      const invitation = requireInvitation(tx, caller, kind, invite_id)
      setInvitationState(tx.sql, invitation, 'revoked')
      announceInvitesChanged(tx, invitation.referrerId)
      return {}
    },
  }
}

export const revokeInvitation = revoke('email')
export const revokeInviteLink = revoke('link')

/** Sends the same link once more, without extending its validity. */
export const resendInvitation: Command<Caller, InvitationParams, void, object> = {
  apply(tx, caller, { invite_id }) {
    const invitation = requireInvitation(tx, caller, 'email', invite_id)
    countResent(tx, caller.source)
    countInvitationMail(tx, caller.source, [invitation.email!])
    mailInvitations(tx, [invitation])
    return {}
  },
}

function requireInvitation(tx: RealmReads, { actor }: Caller, kind: InvitationKind, id: number): Invitation {
  const invitation = findInvitation(tx.sql, kind, id)
  // Only administrators see other people's invitations; those that they may not change are refused in other words.
  const isShown = invitation && (isAdministrator(actor) || invitation.referrerId === actor.id)
  if (!isShown) throw new BadRequestError('No such invitation')
  requireMayManageInvitation(actor, { invitedById: invitation.referrerId, invitedAs: invitation.inviteAs })
  if (invitation.state === 'revoked' && kind === 'link') {
    throw new BadRequestError('Invitation has already been revoked')
  }
  if (invitation.state !== 'pending') throw new BadRequestError('No such invitation')
  return invitation
}
