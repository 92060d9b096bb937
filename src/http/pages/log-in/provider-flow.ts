import { ApiError } from '../../../core/errors.ts'
import { fromJson, type JsonText, jsonText } from '../../../core/json.ts'
import { openSecret, sealSecret } from '../../../core/sealed-secret.ts'
import { MINUTE } from '../../../core/time.ts'
import { beginConnectingStep } from '../../../features/login-providers/log-in-with-provider.ts'
import { getOwnUserEndpoint } from '../../../features/users/get-users.ts'
import { notLoggedIn } from '../../../rules/access.ts'
import { askRealm, readForm } from '../../ask-realm.ts'
import { hostCookie, hostCookieSet, requireOwnPage, sessionOf } from '../../browser-session.ts'
import type { Environment } from '../../environment.ts'
import { findRealm } from '../../find-realm.ts'
import { addressAtProvider } from '../../providers/ask-provider.ts'
import { type FlowSecrets, newFlowSecrets } from '../../providers/code-flow.ts'
import { respondError, respondSuccess, retryLater } from '../../respond.ts'
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

interface KeptFlow extends ProviderFlow {
  /** UNIX seconds. */
  readonly begunAt: number
}

const COOKIE = 'login_flow'
const GOOD_FOR_SECONDS = 10 * MINUTE

/** Characters of a path to return to: browsers keep no cookie of more than 4,096 bytes. */
const MAX_NEXT = 1_500

/** Returns a value of Set-Cookie that keeps the flow in this browser. One that was begun before is over. @throws NoSecretsKeyError */
async function keepFlow(request: Request, env: Environment, flow: ProviderFlow): Promise<string> {
  const { destination } = flow
  const isLong = destination.kind === 'session' && destination.next.length > MAX_NEXT
  const kept: KeptFlow = {
    ...flow,
    destination: isLong ? { kind: 'session', next: '/' } : destination,
    begunAt: Math.floor(Date.now() / 1_000),
  }
  const sealed = await sealSecret(env, await placeOf(request, env), jsonText(kept))
  return hostCookieSet(new URL(request.url), COOKIE, sealed, GOOD_FOR_SECONDS)
}

/** Returns the flow that this browser has begun at this provider; undefined without one, or when it is over. */
export async function keptFlow(
  request: Request,
  env: Environment,
  slug: string,
): Promise<KeptFlow | undefined> {
  const sealed = hostCookie(request, COOKIE)
  if (sealed === undefined) return undefined
  try {
    const text = await openSecret(env, await placeOf(request, env), sealed)
    const flow = fromJson(text as JsonText<KeptFlow>)
    return flow.slug === slug && Date.now() / 1_000 < flow.begunAt + GOOD_FOR_SECONDS ? flow : undefined
  } catch (error) {
    // Sealed elsewhere, or by nobody.
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/** Whether the browser has kept anything that could be a flow. */
export function hasFlow(request: Request): boolean {
  return hostCookie(request, COOKIE) !== undefined
}

/** Returns a value of Set-Cookie after which the browser keeps no flow. */
export function endFlow(request: Request): string {
  return hostCookieSet(new URL(request.url), COOKIE, '', 0)
}

async function placeOf(request: Request, { DB }: Environment) {
  const realm = await findRealm(DB, new URL(request.url))
  return { realmId: realm?.id ?? 0, purpose: 'log-in under way' } as const
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
  return { location, cookie: await keepFlow(request, env, { ...flow, slug, secrets }) }
}
