import type { RequestSource } from '../../core/call.ts'
import { BadRequestError, NotFoundError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { ROLES } from '../../rules/roles.ts'
import { type Invitation, listPendingFor } from '../../store/invitations/invitation-rows.ts'
import type { LoginProvider } from '../../store/login-providers/login-provider-rows.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import type { User } from '../../store/users/user-rows.ts'
import { callForNewPerson } from '../bots/enqueue-event-calls.ts'
import { mailWelcome } from '../emails/account-mails.ts'
import { endInvitationsTo } from '../invitations/end-invitations-to.ts'
import { makeInvitedUser } from '../invitations/make-invited-user.ts'
import { requireOpenInvitation } from '../invitations/open-invitation.ts'
import { withinQuota } from '../quotas/within-quota.ts'
import { subscribeToDefaultChannels } from '../subscriptions/default-subscriptions.ts'
import { addUser } from '../users/accounts/add-user.ts'
import { greetNewUser } from '../users/accounts/greet-new-user.ts'
import { emailProblem } from '../users/addresses/email-rules.ts'
import { fittingFullName, requireAllowedFullName } from '../users/profile/full-name-rules.ts'
import type { ProvenPerson, ProviderRefusal } from './proven-person.ts'

interface SignUp {
  /** The person's own address. */
  readonly email: string
  readonly person: ProvenPerson
  /** The end of an invitation's link with which the person has come; null without one. */
  readonly invitation: string | null
  readonly language?: string | undefined
  readonly source: RequestSource
}

/**
 * Makes the account of a person who has none: with an invitation, or where the owner lets everybody join whom the provider knows and whose
 * address the organization admits. Returns why not otherwise. Source: docs/interface/login.md#at-a-provider.
 */
export function signUp(tx: RealmTransaction, provider: LoginProvider, asked: SignUp): User | ProviderRefusal {
  const invitation = openInvitation(tx, asked)
  if (!invitation && !provider.autoSignup) return 'no_account'
  if (emailProblem(tx.sql, asked.email) !== undefined) return 'address_not_allowed'
  const fullName = nameOf(tx.sql, asked)
  if (fullName === undefined) return 'no_name'
  const account = { deliveryEmail: asked.email, fullName, passwordHash: null, language: asked.language }
  if (invitation) return makeInvitedUser(tx, invitation, account, asked.source)
  return makeUninvitedUser(tx, account, asked.source)
}

function makeUninvitedUser(
  tx: RealmTransaction,
  account: Pick<User, 'deliveryEmail' | 'fullName' | 'passwordHash'> & { language?: string | undefined },
  source: RequestSource,
): User {
  const user = withinQuota(tx, { source }, 'accounts', () => addUser(tx, { ...account, role: ROLES.member }))
  subscribeToDefaultChannels(tx, user)
  callForNewPerson(tx, user, null)
  endInvitationsTo(tx, user.deliveryEmail)
  mailWelcome(tx, user, source)
  greetNewUser(tx, user, {
    text: realmProperty(tx.sql, 'welcome_message_custom_text'),
    origin: source.origin,
  })
  return user
}

/** Returns the invitation whose link was opened, or one by mail to the address; a link that is none is as if there were no link. */
function openInvitation(tx: RealmTransaction, { invitation, email }: SignUp): Invitation | undefined {
  const sent = listPendingFor(tx.sql, email).map(({ secret }) => secret)
  for (const secret of invitation === null ? sent : [invitation, ...sent]) {
    const found = invitationBehind(tx, secret)
    // The invitation is another user's, who has passed it on.
    if (found && (found.address === null || isSameAddress(found.address, email))) return found.invitation
  }
  return undefined
}

function invitationBehind(tx: RealmTransaction, secret: string) {
  try {
    return requireOpenInvitation(tx, secret)
  } catch (error) {
    if (error instanceof NotFoundError) return undefined
    throw error
  }
}

function isSameAddress(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

/** Returns the name at the provider as far as it may be one here, or else the beginning of the address. */
function nameOf(sql: Sql, { person, email }: SignUp): string | undefined {
  const candidates = [person.fullName ?? '', email.split('@', 1)[0]!, email.replace('@', ' ')]
  for (const candidate of candidates) {
    try {
      return requireAllowedFullName(sql, fittingFullName(candidate))
    } catch (error) {
      if (!(error instanceof BadRequestError)) throw error
    }
  }
  return undefined
}
