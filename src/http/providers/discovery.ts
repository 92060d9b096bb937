import { type AuthorizationServer, discoveryRequest, processDiscoveryResponse } from 'oauth4webapi'
import { HOUR } from '../../core/time.ts'
import { remember } from '../requests-of-networks.ts'
import { type ProviderCalls, requireProviderAddress } from './provider-calls.ts'
import { ProviderError, withProvider } from './provider-error.ts'

/** The part of a provider's metadata that a log-in needs. */
export type ProviderServer = Pick<
  AuthorizationServer,
  | 'issuer'
  | 'token_endpoint'
  | 'userinfo_endpoint'
  | 'authorization_response_iss_parameter_supported'
  | 'id_token_signing_alg_values_supported'
> & { readonly authorization_endpoint: string; readonly jwks_uri: string }

/** Seconds for which metadata is kept, which hardly ever changes. */
const KEPT_SECONDS = HOUR
/** Number of issuers whose metadata an isolate keeps; the one asked for longest ago is dropped first. */
const MAX_KEPT = 50

const kept = new Map<string, { readonly server: ProviderServer; readonly until: number }>()

/** Returns the metadata of a provider, by its issuer. @throws ProviderError */
export async function discover(issuer: string, calls: ProviderCalls): Promise<ProviderServer> {
  // The rule for addresses is the deployment's, and comes before what is kept.
  const address = requireProviderAddress(issuer, calls.allowedHosts)
  const found = kept.get(issuer)
  if (found && found.until > Date.now() / 1_000) return found.server
  const server = await withProvider(async () => {
    const response = await discoveryRequest(address, { algorithm: 'oidc', ...calls.options })
    return neededOf(await processDiscoveryResponse(address, response), calls)
  })
  remember(kept, issuer, { server, until: Date.now() / 1_000 + KEPT_SECONDS }, MAX_KEPT)
  return server
}

function neededOf(server: AuthorizationServer, { allowedHosts }: ProviderCalls): ProviderServer {
  const { issuer, authorization_endpoint, token_endpoint, userinfo_endpoint, jwks_uri } = server
  if (authorization_endpoint === undefined || token_endpoint === undefined || jwks_uri === undefined) {
    throw new ProviderError(
      'invalid',
      'Its metadata lacks authorization_endpoint, token_endpoint or jwks_uri',
    )
  }
  // Browsers are sent there.
  requireProviderAddress(authorization_endpoint, allowedHosts)
  const needed = { issuer, authorization_endpoint, token_endpoint, jwks_uri }
  return {
    ...needed,
    ...(userinfo_endpoint === undefined ? {} : { userinfo_endpoint }),
    ...(server.authorization_response_iss_parameter_supported === true
      ? { authorization_response_iss_parameter_supported: true }
      : {}),
    ...(Array.isArray(server.id_token_signing_alg_values_supported)
      ? { id_token_signing_alg_values_supported: server.id_token_signing_alg_values_supported }
      : {}),
  }
}
