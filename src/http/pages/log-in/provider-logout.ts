import { ApiError } from '../../../core/errors.ts'
import { logOutByProviderStep } from '../../../features/login-providers/log-in-with-provider.ts'
import { askRealm, readForm } from '../../ask-realm.ts'
import type { Environment } from '../../environment.ts'
import { logoutFromProvider } from '../../providers/ask-provider.ts'
import type { PageRequest } from '../page-request.ts'
import { countingFailures } from './door-limits.ts'
import { askedProvider, atProvider, TroubleError } from './provider-troubles.ts'

/** Characters of a token: more than any provider's. */
const MAX_TOKEN = 16_384

/**
 * POST /accounts/logout/backchannel/{provider}: a provider says that it has logged a user out. Source:
 * docs/interface/login.md#logged-out-by-the-provider.
 */
export async function logOutFromProvider(request: PageRequest, env: Environment): Promise<Response> {
  try {
    await countingFailures('provider', request, env, () => logOut(request, env))
    return new Response(null, { headers: { 'Cache-Control': 'no-store' } })
  } catch (error) {
    if (error instanceof TroubleError) return refuse(error.trouble === 'unreachable' ? 503 : 400)
    if (error instanceof ApiError) return refuse(error.status)
    throw error
  }
}

async function logOut(request: PageRequest, env: Environment): Promise<void> {
  const { logout_token } = await readForm(request, ['logout_token'])
  const asked = await askedProvider(request, env, request.params.provider!)
  if (logout_token === '' || logout_token.length > MAX_TOKEN) throw new TroubleError('invalid')
  const { subject, sid, saidAt } = await atProvider(request, asked, () =>
    logoutFromProvider(asked, logout_token),
  )
  const { id: provider_id, issuer } = asked.provider
  const params = { provider_id, issuer, subject, sid, said_at: saidAt }
  const done = await askRealm(request, env, logOutByProviderStep.operation, params)
  if (!done.ok) throw ApiError.fromWire(done.error)
}

/** The reason is in the audit log; the caller may be anybody. */
function refuse(status: number): Response {
  return Response.json({ error: 'invalid_request' }, { status, headers: { 'Cache-Control': 'no-store' } })
}
