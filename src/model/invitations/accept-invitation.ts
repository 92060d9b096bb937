import type { RequestSource } from '../../core/call.ts'
import { clientNetwork } from '../../core/client-network.ts'
import type { Command } from '../../core/command.ts'
import { BadRequestError, RateLimitHitError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { DAY } from '../../core/time.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { findUser, findUserByEmail } from '../../store/users/user-rows.ts'
import type { Anyone } from '../anyone.ts'
import { countAttempt } from '../attempts/count-attempt.ts'
import { keptMailSeconds } from '../emails/mail-limits.ts'
import { requireAllowedEmail } from '../users/addresses/email-rules.ts'
import { requirePasswordLength } from '../users/login/password-rules.ts'
import { requireAllowedFullName } from '../users/profile/full-name-rules.ts'
import { makeInvitedUser } from './make-invited-user.ts'
import { requireOpenInvitation } from './standing-invitation.ts'

/** Facts that the page shows before the account is made. */
export interface ShownInvitation {
  readonly organization: string
  readonly referrer: string
  /** Null where it has to be entered. */
  readonly email: string | null
  /** Whether nothing but the address is entered, which then gets a mail with another link. */
  readonly asksForAddress: boolean
}

export const showInvitation: Command<Anyone, { readonly secret: string }, void, ShownInvitation> = {
  apply(tx, _anyone, { secret }) {
    const { invitation, address } = requireOpenInvitation(tx, secret)
    return {
      organization: realmProperty(tx.sql, 'name'),
      referrer: findUser(tx.sql, invitation.referrerId)!.fullName,
      email: address,
      asksForAddress: address === null && tx.sendsMail(),
    }
  },
}

interface AcceptInvitationParams {
  readonly secret: string
  readonly email: string
  readonly full_name: string
  readonly password: string
  readonly password_hash?: string
  /** Language of the page on which it was accepted, if the browser asks for one. */
  readonly language?: string
}

export interface JoinedUser {
  readonly user_id: number
  readonly email: string
  readonly organization: string
}

/** Addresses that one network may type in a day: a whole office joins by one link. */
const JOINING_A_DAY = [{ requests: 100, seconds: DAY }]

/**
 * Counts an address that a user has typed at the page of an invitation link. Source: docs/interface/invitations.md#links.
 * @throws RateLimitHitError (429) for one too many from the network.
 */
export function countJoining(tx: RealmTransaction, source: RequestSource): void {
  const wait = countAttempt(tx, {
    table: 'mail_request',
    owner: `joining:${clientNetwork(source.ip)}`,
    limits: JOINING_A_DAY,
    keptSeconds: keptMailSeconds(source),
  })
  if (wait !== undefined) throw new RateLimitHitError(wait)
}

/**
 * Makes the account that an invitation promises: role, channels, groups; the referrer is notified, and other
 * invitations of the address become invalid, if it is confirmed. Source: docs/interface/invitations.md#what-an-invitation-gives.
 */
export const acceptInvitation: Command<Anyone, AcceptInvitationParams, void, JoinedUser> = {
  apply(tx, { source }, params) {
    const { invitation, address } = requireOpenInvitation(tx, params.secret)
    const deliveryEmail = requireAllowedEmail(tx.sql, address ?? params.email)
    if (address === null) admitUnconfirmed(tx, source)
    if (findUserByEmail(tx.sql, deliveryEmail)) throw new BadRequestError('Email is already in use.')
    const fullName = requireAllowedFullName(tx.sql, params.full_name)
    requirePasswordLength(params.password)
    const account = {
      deliveryEmail,
      isEmailConfirmed: address !== null,
      fullName,
      passwordHash: params.password_hash ?? null,
      language: params.language,
    }
    const user = makeInvitedUser(tx, invitation, account, source)
    return { user_id: user.id, email: deliveryEmail, organization: realmProperty(tx.sql, 'name') }
  },
}

/**
 * Admits someone whose address no mail has confirmed, which is possible only where no mail can be sent. Source:
 * docs/interface/invitations.md#without-a-mail-service.
 */
function admitUnconfirmed(tx: RealmTransaction, source: RequestSource): void {
  if (tx.sendsMail()) throw new BadRequestError('This address needs to be confirmed by mail first.')
  if (realmProperty(tx.sql, 'emails_restricted_to_domains')) {
    throw new BadRequestError(
      'This organization admits addresses of certain domains, and this server can send no mail to confirm one.',
    )
  }
  countJoining(tx, source)
}
