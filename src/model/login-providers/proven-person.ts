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
  /** Null where the provider does not state them, as Entra does for people in very many groups. */
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
  /** No name of this person is allowed here. */
  | 'no_name'
  | 'account_deactivated'
  | 'organization_deactivated'
  /** The person is not the one who is logged in here. */
  | 'other_person'

/** The account that a log-in belongs to. `joins`: there is none yet, and the address is the person's. */
type Match =
  | { readonly kind: 'known' | 'found'; readonly user: User }
  | { readonly kind: 'joins'; readonly email: string }
  | { readonly kind: 'refused'; readonly because: ProviderRefusal }

/**
 * Finds a person's account by the provider's id for them, or else by an address that is known to be theirs. Addresses that
 * people can enter freely at the provider do not count, nor do accounts that are connected to another person there.
 * Source: docs/interface/login.md#at-a-provider.
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
  // A bot has an address, but is not a person.
  if (user.botType !== null) return refused('no_account')
  if (hasIdentityAt(sql, provider, user)) return refused('other_identity')
  // Another person may have made the account, and would share it from now on.
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

export function refused(because: ProviderRefusal): Extract<Match, { kind: 'refused' }> {
  return { kind: 'refused', because }
}
