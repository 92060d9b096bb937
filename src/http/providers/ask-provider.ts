import { hostsIn } from '../../core/outgoing-target.ts'
import { openSecret } from '../../core/sealed-secret.ts'
import { asksAgain } from '../../model/login-providers/login-methods.ts'
import type { ProvenPerson } from '../../model/login-providers/proven-person.ts'
import type { LoginProvider } from '../../store/login-providers/login-provider-rows.ts'
import { type Environment, originAt } from '../environment.ts'
import { beginCodeFlow, endCodeFlow, type FlowSecrets, type ProviderClient } from './code-flow.ts'
import { beginAtGitHub, endAtGitHub } from './github.ts'
import { type LogoutAtProvider, readLogoutToken } from './logout-token.ts'
import { personIn, pictureIn } from './person.ts'
import { type ProviderCalls, providerCalls } from './provider-calls.ts'
import { ProviderError } from './provider-error.ts'

/** Where a provider sends browsers back to: the address that it was given when this server was registered there. */
export const CALLBACK_PATH = '/complete'

/** A provider as one organization of this deployment asks it. */
export interface AskedProvider {
  readonly provider: LoginProvider
  readonly env: Environment
  readonly realmId: number
  /** The address of the request, whose host is the organization's. */
  readonly url: URL
}

/**
 * Returns the address to which a browser is sent. `provesAgain`: whether the person has to prove who they are although the provider knows
 * them still.
 *
 * @throws ProviderError
 */
export async function addressAtProvider(
  asked: AskedProvider,
  secrets: FlowSecrets,
  provesAgain: boolean,
): Promise<string> {
  const [client, calls] = [clientOf(asked, null), callsOf(asked)]
  if (provesAgain && !asksAgain(asked.provider)) {
    throw new ProviderError('invalid', 'The provider does not ask people again who they are')
  }
  if (asked.provider.preset !== 'github') {
    const proof = provesAgain ? 'anew' : asksAgain(asked.provider) ? 'with its time' : 'any'
    return beginCodeFlow(client, secrets, proof, calls)
  }
  return beginAtGitHub(client, secrets, calls)
}

/** Somebody who has come back from a provider, and the address of their picture. */
export interface CameBack {
  readonly person: ProvenPerson
  readonly picture: string | null
}

/**
 * Returns who has come back from the provider.
 *
 * @param since when the person was sent there to log in once more (UNIX seconds); null where any log-in there will do
 * @param callback the query of the address
 * @throws ProviderError; LostSecretError, NoSecretsKeyError
 */
export async function personFromProvider(
  asked: AskedProvider,
  secrets: FlowSecrets,
  since: number | null,
  callback: URLSearchParams,
): Promise<CameBack> {
  const [client, calls] = [clientOf(asked, await secretOf(asked)), callsOf(asked)]
  const { preset, groupsClaim, roleClaim } = asked.provider
  const claims =
    preset === 'github'
      ? await endAtGitHub(client, secrets, callback, calls)
      : await endCodeFlow(client, secrets, since, callback, calls)
  return { person: personIn(claims, { groupsClaim, roleClaim }), picture: pictureIn(claims) }
}

/** Returns what a provider has logged out, by the token that it has posted. @throws ProviderError */
export async function logoutFromProvider(asked: AskedProvider, token: string): Promise<LogoutAtProvider> {
  if (asked.provider.preset === 'github') throw new ProviderError('invalid', 'GitHub logs nobody out')
  return readLogoutToken(token, asked.provider, callsOf(asked))
}

function callsOf({ env }: AskedProvider): ProviderCalls {
  return providerCalls(hostsIn(env.WEBHOOK_ALLOWED_HOSTS))
}

function clientOf({ provider, env, url }: AskedProvider, clientSecret: string | null): ProviderClient {
  const { issuer, clientId, tokenAuth, scopes, slug } = provider
  const redirectUri = `${originAt(url, env)}${CALLBACK_PATH}/${slug}/`
  return { issuer, clientId, clientSecret, tokenAuth, scopes, redirectUri }
}

async function secretOf({ provider, env, realmId }: AskedProvider): Promise<string | null> {
  const place = { realmId, purpose: 'login provider' } as const
  return provider.clientSecret === null ? null : openSecret(env, place, provider.clientSecret)
}
