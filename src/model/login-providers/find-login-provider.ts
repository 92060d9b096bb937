import { NotFoundError } from '../../core/errors.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import {
  findLoginProvider,
  findLoginProviderAt,
  type LoginProvider,
} from '../../store/login-providers/login-provider-rows.ts'
import { isProviderOn } from './login-methods.ts'

/** The result of `find-login-provider`: null where there is none, or where it is off. */
export interface FoundLoginProvider {
  readonly provider: LoginProvider | null
}

/** Finds the provider with an address, for the Worker, which makes the requests to it. */
export function findLoginProviderForWorker(
  { sql }: RealmReads,
  _context: unknown,
  { slug }: { slug: string },
): FoundLoginProvider {
  const provider = findLoginProviderAt(sql, slug)
  return { provider: provider && isProviderOn(sql, provider) ? provider : null }
}

/** Returns a provider, whether it is on or off. @throws NotFoundError */
export function requireLoginProvider(sql: Sql, id: number): LoginProvider {
  const provider = findLoginProvider(sql, id)
  if (!provider) throw new NotFoundError('Invalid log-in provider')
  return provider
}

/** The provider from which a person comes, as it was when they were sent there: another issuer's ids of people mean nothing here. */
export interface ProviderAtHand {
  readonly provider_id: number
  readonly issuer: string
}

/** Returns the provider from which a person comes. @throws NotFoundError if it was turned off, removed or changed since they were sent there */
export function requireProviderOn(sql: Sql, { provider_id, issuer }: ProviderAtHand): LoginProvider {
  const provider = findLoginProvider(sql, provider_id)
  if (!provider || provider.issuer !== issuer || !isProviderOn(sql, provider))
    throw new NotFoundError('There is no such way to log in here any more.')
  return provider
}

/** Facts for asking a provider as a log-in does. */
export interface ProviderTest extends Pick<LoginProvider, 'preset' | 'issuer' | 'clientId' | 'tokenAuth'> {
  /** Opened; null for a client without one. */
  readonly clientSecret: string | null
  readonly redirectUri: string
}
