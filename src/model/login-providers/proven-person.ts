import { deploymentOf, type RequestSource } from '../../core/call.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import {
  findLoginIdentity,
  type LoginProvider,
  listLoginIdentities,
} from '../../store/login-providers/login-provider-rows.ts'
import { findUser, findUserByEmail, type User } from '../../store/users/user-rows.ts'

/** A person whom a provider has recognized, within the organization's limits. */
export interface ProvenPerson {
  /** The provider's own id of the person, which it never gives to another. */
  readonly subject: string
  readonly email: string | null
  /** Whether the provider says that the address is the person's. */
  readonly isEmailVerified: boolean
  readonly fullName: string | null
  /** The language that the person has chosen there, such as `fr-CA`. */
  readonly locale: string | null
  /** Null where the provider does not state them, as Entra does for people in very many groups: then they stay as they are. */
  readonly groups: readonly string[] | null
  readonly roles: readonly string[] | null
  /** The provider's session, for its log-out. */
  readonly sid: string | null
  /** When the person logged in at the provider (UNIX seconds); null where it does not say. */
  readonly loggedInAt: number | null
}

/** Why a person whom the provider has recognized is not let in. The page has a sentence for each; the audit log has the word. */
export type ProviderRefusal =
  /** The provider gives no address, or an unverified one. */
  | 'no_address'
  | 'unverified_address'
  /** No account has this address, and the person may not join: there is no invitation, or the address is not admitted. */
  | 'no_account'
  | 'address_not_allowed'
  /** The account with this address is connected to another person at the provider, or has not confirmed the address. */
  | 'other_identity'
  | 'unconfirmed_account'
  /** The person with this address has used the account without this provider, and is asked by mail whether it may open it. */
  | 'not_connected'
  /** No name of this person is allowed here. */
  | 'no_name'
  | 'account_deactivated'
  | 'organization_deactivated'
  /** The person is not the one who is logged in here. */
  | 'other_person'

/** The account that a log-in belongs to. `joins`: there is none yet, and the address is the person's. */
type Match =
  | { readonly kind: 'known'; readonly user: User }
  /** By its address. `isAllowed`: only since the deployment allows it. */
  | { readonly kind: 'found'; readonly user: User; readonly isAllowed: boolean }
  | { readonly kind: 'joins'; readonly email: string }
  /** The account has been used without the provider. */
  | { readonly kind: 'unconnected'; readonly user: User }
  | { readonly kind: 'refused'; readonly because: ProviderRefusal }

/**
 * Finds a person's account by the provider's id for them, or else by an address that is known to be theirs. Addresses that
 * people can enter freely at the provider do not count, nor do accounts that are connected to another person there. An account that has been
 * used is opened by no address of a provider that an owner may control.
 * Source: docs/interface/login.md#at-a-provider.
 */
export function matchPerson(
  { sql }: RealmReads,
  provider: LoginProvider,
  person: ProvenPerson,
  source: Pick<RequestSource, 'deployment'>,
): Match {
  const identity = findLoginIdentity(sql, provider.id, person.subject)
  const known = identity && findUser(sql, identity.userId)
  if (known) return { kind: 'known', user: known }
  const { email } = person
  if (email === null) return refused('no_address')
  if (!person.isEmailVerified && !provider.trustsEmail) return refused('unverified_address')
  const user = findUserByEmail(sql, email)
  if (!user) return { kind: 'joins', email }
  // A bot has an address, but is not a person.
  if (user.botType !== null) return refused('no_account')
  if (hasIdentityAt(sql, provider, user)) return refused('other_identity')
  // Another person may have made the account, and would share it from now on.
  if (!user.isEmailConfirmed && user.formerEmail === null) return refused('unconfirmed_account')
  const isPublic = person.isEmailVerified && PUBLIC_ISSUERS.has(provider.issuer)
  if (user.awaitsLogin || (isPublic && user.isEmailConfirmed))
    return { kind: 'found', user, isAllowed: false }
  return opensToOwners(user, source)
    ? { kind: 'found', user, isAllowed: true }
    : { kind: 'unconnected', user }
}

/** Issuers that no owner of an organization controls, and which verify addresses themselves: what they say of one is as good as a mail to it. */
const PUBLIC_ISSUERS: ReadonlySet<string> = new Set([
  'https://accounts.google.com',
  'https://github.com',
  'https://gitlab.com',
])

/**
 * Whether what the organization's owners set up (providers, the other system's tokens) opens an account by its address: nobody has used it
 * yet, or the deployment allows it. Source: docs/security.md#accounts-that-have-been-used.
 */
export function opensToOwners(
  { awaitsLogin }: Pick<User, 'awaitsLogin'>,
  source: Pick<RequestSource, 'deployment'>,
): boolean {
  return awaitsLogin || deploymentOf(source).hasAccountAccess
}

export function hasIdentityAt(
  sql: RealmReads['sql'],
  { id }: Pick<LoginProvider, 'id'>,
  user: Pick<User, 'id'>,
): boolean {
  return listLoginIdentities(sql, user.id).some(({ providerId }) => providerId === id)
}

export function refused(because: ProviderRefusal): Extract<Match, { kind: 'refused' }> {
  return { kind: 'refused', because }
}
