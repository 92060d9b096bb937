import type { Sql } from '../../core/sql.ts'
import type { LoginProvider } from '../../store/login-providers/login-provider-rows.ts'
import { hasPasskey } from '../../store/second-factors/passkey-rows.ts'
import type { User } from '../../store/users/user-rows.ts'
import { asksAgain, providersOf } from '../login-providers/login-methods.ts'
import { hasConfirmedTotp, hasSecondFactor } from './second-factor-state.ts'

/** How a person who is logged in can prove once more who they are. */
export interface WaysToProve {
  readonly password: boolean
  readonly code: boolean
  readonly passkey: boolean
  /** Providers that know the account and ask people to log in once more. */
  readonly providers: readonly LoginProvider[]
}

/** Returns how a person can prove who they are: by the second factor, where they have one, or at a provider. */
export function waysToProve(sql: Sql, { id, passwordHash }: User): WaysToProve {
  return {
    password: !hasSecondFactor(sql, id) && passwordHash !== null,
    code: hasConfirmedTotp(sql, id),
    passkey: hasPasskey(sql, id),
    providers: providersOf(sql, id).filter(asksAgain),
  }
}

/**
 * Returns when a person who was logged in elsewhere has proved who they are (UNIX seconds); undefined for now. A
 * person who finds an open browser could log in again without being asked for anything. So a log-in of unknown age is
 * a proof only for users who have no other way.
 *
 * @param at what the provider, or Cloudflare Access, says; null where it says nothing
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
