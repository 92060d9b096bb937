import type { RealmReads } from '../../core/realm-transaction.ts'
import { findLoginIdentity, listLoginIdentities } from '../../store/login-providers/login-identity-rows.ts'
import type { LoginProvider } from '../../store/login-providers/login-provider-rows.ts'
import { findUser, findUserByEmail, type User } from '../../store/users/user-rows.ts'
import type { ProvenPerson, ProviderRefusal } from './proven-person.ts'

/** The account that a log-in belongs to. `joins`: there is none yet, and the address is the user's. */
export type Match =
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
