import type { RealmReads } from '../../core/realm-transaction.ts'
import {
  findLoginIdentity,
  type LoginProvider,
  listLoginIdentities,
} from '../../store/login-providers/login-provider-rows.ts'
import { findUser, findUserByEmail, type User } from '../../store/users/user-rows.ts'

/** The person whom a provider has recognized, within the limits of everything that the organization takes. */
export interface ProvenPerson {
  /** The provider's own id of the account, which it gives to nobody else. */
  readonly subject: string
  readonly email: string | null
  /** Whether the provider says that the person receives mail there. */
  readonly isEmailVerified: boolean
  readonly fullName: string | null
  /** Groups and roles are null where the provider does not say them, as Entra does for people with very many groups. */
  readonly groups: readonly string[] | null
  readonly roles: readonly string[] | null
  /** The provider's session, for its log-out. */
  readonly sid: string | null
  /** UNIX seconds: when the person has logged in at the provider; null where it does not say. */
  readonly loggedInAt: number | null
}

/**
 * Why the organization does not let a person in whom the provider has recognized. The page has a sentence for each, the audit log the word.
 */
export type ProviderRefusal =
  /** The provider gives no address, or has not verified it. */
  | 'no_address'
  | 'unverified_address'
  /**
   * No account has this address, and the user may not join: there is no invitation, or the rules for addresses forbid
   * it.
   */
  | 'no_account'
  | 'address_not_allowed'
  /**
   * An account has this address, but is connected with another user at the provider, or has not confirmed the address.
   */
  | 'other_identity'
  | 'unconfirmed_account'
  /** No name of this person can be one here. */
  | 'no_name'
  | 'account_deactivated'
  | 'organization_deactivated'
  /** The person is not the one who is logged in. */
  | 'other_person'

/** The account that a log-in belongs to. `joins`: there is none yet, and the address is the user's. */
type Match =
  | { readonly kind: 'known' | 'found'; readonly user: User }
  | { readonly kind: 'joins'; readonly email: string }
  | { readonly kind: 'refused'; readonly because: ProviderRefusal }

/**
 * Finds the account of a user by the provider's id for them, or else by an address that is known to be theirs. An
 * address that users could enter freely at the provider does not count, nor does an account that is connected with
 * another user there. Source: docs/interface/login.md#at-a-provider.
 */
export function matchPerson({ sql }: RealmReads, provider: LoginProvider, person: ProvenPerson): Match {
  const identity = findLoginIdentity(sql, provider.id, person.subject)
  const known = identity && findUser(sql, identity.userId)
  if (known) return { kind: 'known', user: known }
  const { email } = person
  if (email === null) return refused('no_address')
  if (!person.isEmailVerified && !provider.trustsEmail) return refused('unverified_address')
  const user = findUserByEmail(sql, email)
  if (!user) return { kind: 'joins', email }
  // A bot has an address, and no person.
  if (user.botType !== null) return refused('no_account')
  if (hasIdentityAt(sql, provider, user)) return refused('other_identity')
  // The account may have been made by another person, who would share it from now on.
  if (!user.isEmailConfirmed) return refused('unconfirmed_account')
  return { kind: 'found', user }
}

export function hasIdentityAt(
  sql: RealmReads['sql'],
  { id }: Pick<LoginProvider, 'id'>,
  user: Pick<User, 'id'>,
): boolean {
  return listLoginIdentities(sql, user.id).some(({ providerId }) => providerId === id)
}

function refused(because: ProviderRefusal): Match {
  return { kind: 'refused', because }
}
