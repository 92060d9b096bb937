import { ApiError } from '../../../core/errors.ts'
import { beginConnectingStep } from '../../../features/login-providers/log-in-with-provider.ts'
import { getOwnUserEndpoint } from '../../../features/users/get-users.ts'
import { notLoggedIn } from '../../../rules/access.ts'
import { askRealm, readForm } from '../../ask-realm.ts'
import { requireOwnPage, sessionOf } from '../../browser-session.ts'
import type { Environment } from '../../environment.ts'
import { addressAtProvider } from '../../providers/ask-provider.ts'
import { type FlowSecrets, newFlowSecrets } from '../../providers/code-flow.ts'
import { respondError, respondSuccess, retryLater } from '../../respond.ts'
import { type FlowKind, type Kept, keepFlow, keptFlow } from '../../sealed-flow.ts'
import type { PageRequest } from '../page-request.ts'
import { isDesktopApp, respondInDesktopApp } from './desktop-page.ts'
import { countBegunLogin } from './door-limits.ts'
import { redirectWith, refuseDestination } from './login-answers.ts'
import { type Destination, destinationOf, ownPath } from './login-end.ts'
import { askedProvider, atProvider, onPage, TroubleError } from './provider-troubles.ts'

/** The purpose for which a user was sent to a provider. */
type FlowPurpose =
  | 'log in'
  /** To connect what they are there with the account that is logged in. */
  | 'connect'
  /** To prove that they are still who is logged in. */
  | 'prove'

/** A log-in at a provider that is under way. The browser that has begun it keeps it, sealed: nobody else can read or change it. */
export interface ProviderFlow {
  /** The provider's name in addresses. */
  readonly slug: string
  readonly purpose: FlowPurpose
  readonly secrets: FlowSecrets
  readonly destination: Destination
  /** The end of an invitation's link; null without one. */
  readonly invitation: string | null
  /** The digest of the session for which it was begun; null for a log-in. */
  readonly session: string | null
}

/** The flow of a log-in at a provider. */
export const LOGIN_FLOW: FlowKind = { cookie: 'login_flow', purpose: 'log-in under way' }

/** Characters of a path to return to: browsers keep no cookie of more than 4,096 bytes. */
const MAX_NEXT = 1_500

/** Returns the flow that this browser has begun at this provider; undefined without one, or when it is over. */
export async function keptLogin(
  request: Request,
  env: Environment,
  slug: string,
): Promise<Kept<ProviderFlow> | undefined> {
  const flow = await keptFlow<ProviderFlow>(request, env, LOGIN_FLOW)
  return flow?.slug === slug ? flow : undefined
}

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
 * POST of the same address, by a page of a logged-in user: begins to connect what they are at the provider with their account
 * (`purpose=connect`), or to prove that they are still there (`prove`). Answers with the address to go to. No page of another site may:
 * it would connect the account with another user's there. Source: docs/interface/login.md#connect-a-provider.
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
  const { destination } = flow
  const isLong = destination.kind === 'session' && destination.next.length > MAX_NEXT
  const kept: ProviderFlow = {
    ...flow,
    ...(isLong ? { destination: { kind: 'session', next: '/' } } : {}),
    slug,
    secrets,
  }
  return { location, cookie: await keepFlow(request, env, LOGIN_FLOW, kept) }
}
