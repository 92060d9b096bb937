import { ApiError } from '../../../core/errors.ts'
import { beginConnectingStep } from '../../../features/login-providers/log-in-with-provider.ts'
import { getOwnUserEndpoint } from '../../../features/users/get-own-user.ts'
import { notLoggedIn } from '../../../rules/access.ts'
import { askRealm, readForm } from '../../ask-realm.ts'
import { requireOwnPage, sessionOf } from '../../browser-session.ts'
import type { Environment } from '../../environment.ts'
import { addressAtProvider } from '../../providers/ask-provider.ts'
import { newFlowSecrets } from '../../providers/code-flow.ts'
import { respondError, respondSuccess, retryLater } from '../../respond.ts'
import type { PageRequest } from '../page-request.ts'
import { isDesktopApp, respondInDesktopApp } from './desktop-page.ts'
import { countBegunLogin } from './door-limits.ts'
import { redirectWith, refuseDestination } from './login-answers.ts'
import { destinationOf, ownPath } from './login-end.ts'
import { keepFlow, type ProviderFlow } from './provider-flow.ts'
import { askedProvider, atProvider, onPage, TroubleError } from './provider-troubles.ts'

/** Length of the end of an invitation's link, beyond which it is none. */
const MAX_INVITATION = 100

/**
 * GET /accounts/login/social/{provider}, and the same below /accounts/register: sends the browser to the provider, and lets it keep, sealed,
 * what it will be recognized by when it comes back. Source: docs/interface/login.md#at-a-provider.
 */
export async function beginAtProvider(request: PageRequest, env: Environment): Promise<Response> {
  const { searchParams } = new URL(request.url)
  const destination = destinationOf(new URL(request.url))
  if (!destination) return refuseDestination(request)
  if (destination.kind === 'session' && isDesktopApp(request)) return respondInDesktopApp(request)
  const secret = searchParams.get('multiuse_object_key') ?? ''
  const invitation = secret === '' || secret.length > MAX_INVITATION ? null : secret
  return onPage(request, async () => {
    const flow = { purpose: 'log in', destination, invitation, session: null } as const
    const { location, cookie } = await begin(request, env, flow)
    return redirectWith(location, [cookie])
  })
}

/**
 * POST of the same address, by a page of somebody who is logged in: begins to connect what they are at the provider with their account
 * (`purpose=connect`), or to prove that they are still there (`prove`). Answers with the address to go to. No page of another site may:
 * it would connect the account with somebody else's there. Source: docs/interface/login.md#connect-a-provider.
 */
export async function beginForSession(request: PageRequest, env: Environment): Promise<Response> {
  try {
    const fields = await readForm(request, ['purpose', 'next', 'csrfmiddlewaretoken'])
    const session = await sessionOf(request)
    if (!session) throw notLoggedIn()
    await requireOwnPage(request, session, fields.csrfmiddlewaretoken)
    const purpose = fields.purpose === 'connect' ? 'connect' : 'prove'
    const { operation } = purpose === 'connect' ? beginConnectingStep : getOwnUserEndpoint
    const own = await askRealm(request, env, operation, {}, { session })
    if (!own.ok) throw ApiError.fromWire(own.error)
    const destination = { kind: 'session', next: ownPath(fields.next, new URL(request.url).origin) } as const
    const flow = { purpose, destination, invitation: null, session: session.digest } as const
    const { location, cookie } = await begin(request, env, flow)
    const response = await respondSuccess({ url: location })
    response.headers.append('Set-Cookie', cookie)
    return response
  } catch (thrown) {
    const error = thrown instanceof TroubleError ? thrown.toApiError(request) : thrown
    if (!(error instanceof ApiError)) throw error
    return retryLater(respondError(error), error)
  }
}

/** @throws TroubleError; ApiError */
async function begin(request: PageRequest, env: Environment, flow: Omit<ProviderFlow, 'slug' | 'secrets'>) {
  await countBegunLogin(request, env)
  const slug = request.params.provider!
  const asked = await askedProvider(request, env, slug)
  const secrets = newFlowSecrets()
  const location = await atProvider(request, asked, () =>
    addressAtProvider(asked, secrets, flow.purpose === 'prove'),
  )
  return { location, cookie: await keepFlow(request, env, { ...flow, slug, secrets }) }
}
