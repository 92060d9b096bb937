import type { ProviderClient } from './code-flow.ts'
import { discover } from './discovery.ts'
import type { ProviderCalls } from './provider-calls.ts'
import { ProviderError } from './provider-error.ts'
import { CLOCK_SECONDS, verifySigned } from './signing-keys.ts'

/** The sessions that a provider has logged out: one of its own, or all of an account. */
export interface LogoutAtProvider {
  readonly subject: string | null
  readonly sid: string | null
  /** UNIX seconds: when the token was made. */
  readonly saidAt: number
}

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const MAX_LENGTH = 255
/** Seconds for which a token is good after it was made, whatever it says itself. */
const GOOD_FOR_SECONDS = 600

/**
 * Reads the token of a back-channel log-out. OpenID Connect Back-Channel Logout 1.0, 2.4 and 2.6, says what is checked.
 *
 * @throws ProviderError
 */
export async function readLogoutToken(
  token: string,
  { issuer, clientId }: Pick<ProviderClient, 'issuer' | 'clientId'>,
  calls: ProviderCalls,
): Promise<LogoutAtProvider> {
  const server = await discover(issuer, calls)
  const requiredClaims = ['iat', 'jti', 'events']
  const checks = { issuer: server.issuer, audience: clientId, requiredClaims }
  const { sub, sid, jti, iat, events, nonce } = await verifySigned(token, server.jwks_uri, checks, calls)
  const now = Date.now() / 1_000
  if (nonce !== undefined) throw invalid('has a nonce: it is an ID token')
  if (!isEvent(events)) throw invalid('is of no back-channel log-out (events)')
  if (Math.abs(now - iat!) > GOOD_FOR_SECONDS + CLOCK_SECONDS) throw invalid('is too old (iat)')
  const [subject, session] = [idIn(sub), idIn(sid)]
  if (idIn(jti) === null) throw invalid('has no id (jti)')
  if (subject === null && session === null) throw invalid('says neither of whom nor which session (sub, sid)')
  return { subject, sid: session, saidAt: Math.floor(iat!) }
}

function invalid(what: string): ProviderError {
  return new ProviderError('invalid', `The log-out token ${what}`)
}

function isEvent(events: unknown): boolean {
  return (
    typeof events === 'object' &&
    events !== null &&
    Object.hasOwn(events, EVENT) &&
    typeof (events as Record<string, unknown>)[EVENT] === 'object'
  )
}

/** A claim of another type, or that could be none of ours, is no id. */
function idIn(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && value.length <= MAX_LENGTH ? value : null
}
