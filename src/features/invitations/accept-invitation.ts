import * as v from 'valibot'
import { defineStep } from '../../api/define-endpoint.ts'
import { digest, entered, inAddress } from '../../api/step-types.ts'
import type { RequestSource } from '../../core/call.ts'
import { BadRequestError, NotFoundError, RateLimitHitError } from '../../core/errors.ts'
import { clientNetwork } from '../../core/rate-limits.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { DAY } from '../../core/time.ts'
import { requireAllowedFullName } from '../../model/accounts/full-name-rules.ts'
import { requirePasswordLogin, takesPasswords } from '../../model/accounts/login/fetch-api-key.ts'
import { makeInvitedUser } from '../../model/accounts/make-invited-user.ts'
import { countAttempt } from '../../model/attempts/count-attempt.ts'
import { queueLetter } from '../../model/emails/letter.ts'
import { countMailToStranger, keptMailSeconds } from '../../model/emails/mail-limits.ts'
import { textsForVisitor } from '../../model/emails/texts-for.ts'
import { invitationUrl } from '../../model/invitations/invitation-mail.ts'
import { requireOpenInvitation } from '../../model/invitations/standing-invitation.ts'
import { getsMail } from '../../model/notifications/notifiable-users.ts'
import { requireAllowedEmail } from '../../model/users/addresses/email-rules.ts'
import { requirePasswordLength } from '../../model/users/login/password-rules.ts'
import { NOBODY, requireRoomForEmail } from '../../store/emails/email-rows.ts'
import {
  deleteExpiredSignUps,
  findSignUp,
  type Invitation,
  putSignUp,
} from '../../store/invitations/invitation-rows.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { findUser, findUserByEmail } from '../../store/users/user-rows.ts'

/** Facts that the page shows before the account is created. */
export interface ShownInvitation {
  readonly organization: string
  readonly referrer: string
  /** Null if it must be entered. */
  readonly email: string | null
  /** Whether only the address is entered, to which another link is then mailed. */
  readonly asksForAddress: boolean
  /** Whether a password is entered: not where nobody can log in with one. */
  readonly asksForPassword: boolean
}

/** The step behind the page of an invitation's link; the API has no such operation. */
export const showInvitationStep = defineStep({
  operation: 'show-invitation',
  access: 'anyone',
  params: { secret: inAddress },
  apply(tx, _anyone, { secret }): ShownInvitation {
    const { invitation, address } = requireOpenInvitation(tx, secret)
    return {
      organization: realmProperty(tx.sql, 'name'),
      referrer: findUser(tx.sql, invitation.referrerId)!.fullName,
      email: address,
      asksForAddress: address === null && tx.sendsMail(),
      asksForPassword: takesPasswords(tx.sql),
    }
  },
  audit: 'read-only',
})

/**
 * Mails a link to the address with which a user wants to join by an invitation link: otherwise anyone with such a link could join with
 * someone else's address. The answer does not reveal whether an account has the address: every address is counted alike, and the same rows
 * are written. Source: docs/interface/invitations.md#links.
 */
export const askToJoinStep = defineStep({
  operation: 'ask-to-join',
  access: 'anyone',
  params: { secret: inAddress, email: entered, language: v.optional(entered) },
  apply(tx, { source }, { secret, email, language }) {
    const { invitation, address } = requireOpenInvitation(tx, secret)
    // A mailed link confirms its address.
    if (address !== null) throw new NotFoundError('This invitation is not valid any more.')
    const typed = requireAllowedEmail(tx.sql, email)
    countJoining(tx, source)
    const wait = countMailToStranger(tx, source, typed)
    if (wait !== undefined) throw new RateLimitHitError(wait)
    requireRoomForEmail(tx.sql)
    mailSignUp(tx, invitation, {
      email: typed,
      url: openSignUp(tx, invitation, typed, source.origin),
      language,
    })
  },
  audit: { because: 'Sends mail, which has limits of its own; accept-invitation records the outcome.' },
})

/**
 * Creates the invited account with its role, channels and groups; the referrer is notified, and if the address is confirmed, its other
 * invitations become invalid. Source: docs/interface/invitations.md#what-an-invitation-gives.
 */
export const acceptInvitationStep = defineStep({
  operation: 'accept-invitation',
  access: 'anyone',
  params: {
    secret: inAddress,
    email: entered,
    full_name: entered,
    password: entered,
    password_hash: v.optional(digest),
    language: v.optional(entered),
  },
  apply(tx, { source }, params): JoinedUser {
    const { invitation, address } = requireOpenInvitation(tx, params.secret)
    const deliveryEmail = requireAllowedEmail(tx.sql, address ?? params.email)
    if (address === null) admitUnconfirmed(tx, source)
    if (findUserByEmail(tx.sql, deliveryEmail)) throw new BadRequestError('Email is already in use.')
    const fullName = requireAllowedFullName(tx.sql, params.full_name)
    const takesPassword = takesPasswords(tx.sql)
    if (takesPassword) requirePasswordLength(params.password)
    const account = {
      deliveryEmail,
      isEmailConfirmed: address !== null,
      fullName,
      passwordHash: (takesPassword && params.password_hash) || null,
      language: params.language,
    }
    const user = makeInvitedUser(tx, invitation, account, source)
    return { user_id: user.id, email: deliveryEmail, organization: realmProperty(tx.sql, 'name') }
  },
  audit: ({ value }) => ({
    action: 'user_joined',
    actorId: value.user_id,
    details: { user_id: value.user_id },
  }),
})

const VALID_SECONDS = DAY

/** Returns the URL of the page that creates the account. An earlier link stays valid, since someone else could ask for a new one. */
function openSignUp(tx: RealmTransaction, { id: linkId }: Invitation, email: string, origin: string): string {
  deleteExpiredSignUps(tx.sql, tx.now)
  const secret = findSignUp(tx, email, linkId)?.secret ?? tx.randomHex(16)
  putSignUp(tx.sql, { secret, linkId, email, expiresAt: tx.now + VALID_SECONDS })
  return invitationUrl(origin, { secret })
}

function mailSignUp(
  tx: RealmTransaction,
  { referrerId, origin }: Invitation,
  { email, url, language }: { email: string; url: string; language: string | undefined },
): void {
  const organization = realmProperty(tx.sql, 'name')
  const texts = textsForVisitor(tx, language)
  const { signUp } = texts
  const holder = findUserByEmail(tx.sql, email)
  const referrer = findUser(tx.sql, referrerId)!.fullName
  queueLetter(tx, texts, {
    // Closed accounts and bots get no mail.
    recipient: holder && !getsMail(holder) ? NOBODY : email,
    subject: signUp.subject(organization),
    paragraphs: [
      texts.greeting(),
      signUp.happened({ referrer, organization }),
      ...(holder
        ? [signUp.hasAccount({ organization, url: `${origin}/` })]
        : [signUp.link(url), signUp.validity]),
    ],
  })
}

export interface JoinedUser {
  readonly user_id: number
  readonly email: string
  readonly organization: string
}

/** Addresses that one network may enter in a day: a whole office joins by one link, which others do not know. */
const JOINING_A_DAY = [{ requests: 500, seconds: DAY }]

/**
 * Counts an address that a user entered on the page of an invitation link. Source: docs/interface/invitations.md#links.
 * @throws RateLimitHitError (429) for one too many from the network.
 */
function countJoining(tx: RealmTransaction, source: RequestSource): void {
  const wait = countAttempt(tx, {
    table: 'mail_request',
    owner: `joining:${clientNetwork(source.ip)}`,
    limits: JOINING_A_DAY,
    keptSeconds: keptMailSeconds(source),
  })
  if (wait !== undefined) throw new RateLimitHitError(wait)
}

/**
 * Admits a user whose address was not confirmed by mail, which is possible only if no mail can be sent. Source:
 * docs/interface/invitations.md#without-a-mail-service.
 */
function admitUnconfirmed(tx: RealmTransaction, source: RequestSource): void {
  if (tx.sendsMail()) throw new BadRequestError('This address needs to be confirmed by mail first.')
  if (realmProperty(tx.sql, 'emails_restricted_to_domains')) {
    throw new BadRequestError(
      'This organization admits addresses of certain domains, and this server can send no mail to confirm one.',
    )
  }
  // Log-ins elsewhere open no account with an unconfirmed address.
  requirePasswordLogin(tx.sql)
  countJoining(tx, source)
}
