import type { Sql } from '../../core/sql.ts'
import type { LoginProvider } from '../../store/login-providers/login-provider-rows.ts'
import { hasPasskey } from '../../store/second-factors/second-factor-rows.ts'
import type { User } from '../../store/users/user-rows.ts'
import { hasConfirmedTotp, hasSecondFactor } from '../second-factors/second-factor-state.ts'
import { asksAgain, providersOf } from './login-methods.ts'

/** Ways in which a logged-in person can prove their identity again. */
interface WaysToProve {
  readonly password: boolean
  readonly code: boolean
  readonly passkey: boolean
  /** Providers that know the account and ask people to log in again. */
  readonly providers: readonly LoginProvider[]
}

/** Returns the ways of a person: by a second factor if they have one, else by the password, or at a provider. */
export function waysToProve(sql: Sql, { id, passwordHash }: User): WaysToProve {
  return {
    password: !hasSecondFactor(sql, id) && passwordHash !== null,
    code: hasConfirmedTotp(sql, id),
    passkey: hasPasskey(sql, id),
    providers: providersOf(sql, id).filter(asksAgain),
  }
}

/**
 * Returns when a person who logged in elsewhere proved their identity (UNIX seconds); undefined for now. A log-in of
 * unknown age is a proof only for users without another way: a person who finds an open browser could repeat it
 * without being asked for anything.
 *
 * @param at the time from the provider, or Cloudflare Access; null if it gives none
 * @param providerId the provider, if it is one: it was asked, and has not answered
 */
export function timeOfProof(
  sql: Sql,
  user: User,
  at: number | null,
  providerId?: number,
): number | undefined {
  if (at !== null) return at
  const { password, code, passkey, providers } = waysToProve(sql, user)
  const hasOther = password || code || passkey || providers.some(({ id }) => id !== providerId)
  return hasOther ? 0 : undefined
}
