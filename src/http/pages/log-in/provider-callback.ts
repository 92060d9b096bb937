import { waitUntil } from 'cloudflare:workers'
import { storeAvatar } from '../../../api/in-worker/store-image.ts'
import { ApiError } from '../../../core/errors.ts'
import { MIB } from '../../../core/files.ts'
import { log } from '../../../core/log.ts'
import { hostsIn } from '../../../core/outgoing-target.ts'
import { outOfRequest } from '../../../core/request-record.ts'
import {
  logInWithProviderStep,
  type ProviderLogin,
} from '../../../features/login-providers/log-in-with-provider.ts'
import { logOutByProviderStep } from '../../../features/login-providers/log-out-by-provider.ts'
import {
  beginConnectingStep,
  type Connected,
  connectLoginIdentityStep,
  proveWithProviderStep,
} from '../../../features/login-providers/login-identities.ts'
import {
  insertPictureOfProviderStep,
  reservePictureOfProviderStep,
} from '../../../features/login-providers/picture-of-provider.ts'
import { getOwnUserEndpoint } from '../../../features/users/get-users.ts'
import type { ProvenPerson } from '../../../model/login-providers/proven-person.ts'
import { callOut } from '../../../outgoing/call-out.ts'
import { notLoggedIn } from '../../../rules/access.ts'
import { bucketOf } from '../../../store/d1/bucket.ts'
import { languageOfRequest } from '../../html/texts-of-request.ts'
import { askOrRefuse, readForm } from '../../operations/ask-realm.ts'
import {
  type AskedProvider,
  addressAtProvider,
  type CameBack,
  logoutFromProvider,
  personFromProvider,
} from '../../providers/ask-provider.ts'
import { type FlowSecrets, newFlowSecrets } from '../../providers/code-flow.ts'
import { requireProviderAddress } from '../../providers/provider-calls.ts'
import { waitForMemory } from '../../request/admission-control.ts'
import { requireOwnPage, sessionOf } from '../../request/browser-session.ts'
import type { Environment } from '../../request/environment.ts'
import { findRealm } from '../../request/find-realm.ts'
import type { PageRequest } from '../../request/request-url.ts'
import { respondError, respondSuccess } from '../../request/respond.ts'
import { endFlow, type FlowKind, hasFlow, type Kept, keepFlow, keptFlow } from '../../request/sealed-flow.ts'
import { picturesOf } from '../../storage/draw-pictures.ts'
import { fileStoreOn } from '../../storage/stored-files.ts'
import { respondLogInFirst } from './connect-after-login.ts'
import { isDesktopApp, respondInDesktopApp } from './desktop-page.ts'
import { keepIdToken } from './log-out.ts'
import { redirectWith, refuseDestination } from './login-answers.ts'
import {
  beginLogin,
  countBegunLogin,
  countingFailures,
  type Destination,
  destinationOf,
  ownPath,
} from './login-end.ts'
import { askedProvider, atProvider, onPage, TroubleError } from './provider-troubles.ts'
import { respondFinished } from './respond-finished.ts'

/**
 * GET /complete/{provider}/: the redirect back from the provider. It completes, once, the login that this browser started. Where something
 * cannot be reached, the page can be loaded again.
 */
export async function comeBackFromProvider(request: PageRequest, env: Environment): Promise<Response> {
  const response = await onPage(request, () => {
    // A callback without a pending login costs nothing and is not counted: a page of another site may make its readers request it.
    if (!hasFlow(request, LOGIN_FLOW)) throw new TroubleError('expired')
    return countingFailures('provider', request, env, () => end(request, env))
  })
  if (response.status !== UNAVAILABLE) response.headers.append('Set-Cookie', endFlow(request, LOGIN_FLOW))
  return response
}

const UNAVAILABLE = 503

async function end(request: PageRequest, env: Environment): Promise<Response> {
  const slug = request.params.provider!
  const { searchParams } = new URL(request.url)
  const flow = await keptLogin(request, env, slug)
  if (!flow || searchParams.get('state') !== flow.secrets.state) throw new TroubleError('expired')
  const asked = await askedProvider(request, env, slug)
  const since = flow.purpose === 'prove' ? flow.begunAt : null
  const { person, picture, idToken } = await atProvider(request, asked, () =>
    personFromProvider(asked, flow.secrets, since, searchParams),
  )
  return flow.session === null
    ? logIn(request, asked, flow, { person, picture, idToken })
    : confirm(request, asked, flow as ProviderFlow & { session: string }, person)
}

async function logIn(
  request: PageRequest,
  found: AskedProvider,
  { destination, invitation }: ProviderFlow,
  { person, picture, idToken }: CameBack,
): Promise<Response> {
  const { env, provider } = found
  const underWay = await beginLogin(destination)
  const params = {
    provider_id: provider.id,
    issuer: provider.issuer,
    person,
    end: underWay.end,
    invitation,
    language: languageOfRequest(request),
  }
  const login = await askOrRefuse<ProviderLogin>(request, env, logInWithProviderStep.operation, params)
  if (login.kind === 'refused') {
    if (login.because === 'not_connected' && login.user_id !== undefined) {
      const { id: provider_id, issuer, displayName: name } = provider
      const newMember = {
        provider_id,
        issuer,
        subject: person.subject,
        user_id: login.user_id,
        name,
        email: person.email ?? '',
      }
      return respondLogInFirst(request, env, destination, newMember)
    }
    throw new TroubleError(login.because, { name: provider.displayName, email: person.email })
  }
  if (login.hasJoined && picture !== null && provider.takesPicture) {
    takePicture(request, found, login.finished.user_id, picture)
  }
  const response = await respondFinished(request, env, underWay, login.finished)
  if (!provider.endsSession || idToken === null || login.finished.kind !== 'session') return response
  return keepIdToken(response, request, env, { digest: underWay.session.digest, idToken })
}

/** Connects the identity with the logged-in account, or records that it was confirmed: in the session that asked for it. */
async function confirm(
  request: PageRequest,
  { env, provider }: AskedProvider,
  flow: ProviderFlow & { readonly session: string },
  { subject, sid }: ProvenPerson,
): Promise<Response> {
  const session = await sessionOf(request)
  if (session?.digest !== flow.session) throw new TroubleError('expired')
  const who = { provider_id: provider.id, issuer: provider.issuer, subject }
  const [{ operation }, params] =
    flow.purpose === 'connect'
      ? ([connectLoginIdentityStep, who] as const)
      : ([proveWithProviderStep, { ...who, sid }] as const)
  const { refused } = await askOrRefuse<Connected>(request, env, operation, params, { session })
  if (refused !== null) throw new TroubleError(refused, { name: provider.displayName })
  return redirectWith(flow.destination.kind === 'session' ? flow.destination.next : '/', [])
}

const TIMEOUT_MS = 10_000
/** As for an uploaded picture. */
const MAX_BYTES = 5 * MIB

/**
 * Gives a new user the picture from the provider, after they were let in: no request waits for it, and without it they keep the default
 * picture. Source: docs/interface/login.md#at-a-provider.
 */
function takePicture(request: Request, asked: AskedProvider, user_id: number, address: string): void {
  const taking = () =>
    take(request, asked, user_id, address).catch((error: unknown) =>
      log('warn', 'A picture from a log-in provider could not be loaded', { error }),
    )
  waitUntil(outOfRequest(taking))
}

async function take(
  request: Request,
  { env, provider, realmId }: AskedProvider,
  user_id: number,
  address: string,
): Promise<void> {
  const whose = { user_id, provider_id: provider.id, issuer: provider.issuer }
  const fileId = crypto.randomUUID().replaceAll('-', '')
  const release = await waitForMemory(MAX_BYTES)
  try {
    const { host } = new URL(provider.issuer)
    // People choose the address at some providers: it leads to no other host that only this server can reach.
    const own = hostsIn(env.WEBHOOK_ALLOWED_HOSTS).filter((allowed) => allowed === host)
    const bytes = await fetchPicture(address, own)
    const ask = (operation: string, more: object) =>
      askOrRefuse(request, env, operation, { ...whose, ...more }, { counted: true })
    await ask(reservePictureOfProviderStep.operation, { file_id: fileId })
    const file = { name: 'picture', contentType: '', content: only(bytes) }
    const images = picturesOf(env, (await findRealm(env.DB, new URL(request.url)))!)
    const worker = { realmId, fileId, store: fileStoreOn(bucketOf(env)), images }
    await ask(insertPictureOfProviderStep.operation, { path: await storeAvatar(file, worker) })
  } finally {
    release?.()
  }
}

/** Fetches a picture over https, from the public network, without redirects, which could lead anywhere. */
async function fetchPicture(address: string, allowedHosts: readonly string[]): Promise<Uint8Array> {
  const { href: url } = requireProviderAddress(address, allowedHosts)
  const { response, body, isCut } = await callOut({
    url,
    named: { by: 'user', allowedHosts },
    init: { headers: { Accept: 'image/*', 'User-Agent': 'ParleyLogin/1.0' } },
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
    needsBody: ({ ok }) => ok,
  })
  if (!response.ok) throw new Error(`It answers ${response.status}`)
  if (isCut) throw new Error('It is too large')
  return body
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** Why a logged-in user was sent to a provider. */
type FlowPurpose =
  | 'log in'
  /** To connect their identity there with the logged-in account. */
  | 'connect'
  /** To prove that they are still the logged-in user. */
  | 'prove'

/** A pending login at a provider. The browser that started it keeps it, sealed: no one else can read or change it. */
interface ProviderFlow {
  /** The provider's name in addresses. */
  readonly slug: string
  readonly purpose: FlowPurpose
  readonly secrets: FlowSecrets
  readonly destination: Destination
  /** The secret part of an invitation link; null without one. */
  readonly invitation: string | null
  /** The digest of the session that started it; null for a login. */
  readonly session: string | null
}

const LOGIN_FLOW: FlowKind = { cookie: 'login_flow', purpose: 'log-in under way' }

/** Limit of a path to return to, in characters: browsers keep no cookie of more than 4,096 bytes. */
const MAX_NEXT = 1_500

/** Returns the pending flow of this browser at this provider; undefined without one, or after it has expired. */
async function keptLogin(
  request: Request,
  env: Environment,
  slug: string,
): Promise<Kept<ProviderFlow> | undefined> {
  const flow = await keptFlow<ProviderFlow>(request, env, LOGIN_FLOW)
  return flow?.slug === slug ? flow : undefined
}

/** Limit of the secret part of an invitation link, in characters. */
const MAX_INVITATION = 100

/**
 * GET /accounts/login/social/{provider}, and the same under /accounts/register: sends the browser to the provider, and stores in it,
 * sealed, the state that identifies its return. Source: docs/interface/login.md#at-a-provider.
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
 * POST of the same address, by a page of a logged-in user: starts to connect their identity at the provider with their account
 * (`purpose=connect`), or to prove that they still have it (`prove`). Returns the address to go to. Pages of other sites may not: they
 * could connect the account with another identity. Source: docs/interface/login.md#connect-a-provider.
 */
export async function beginForSession(request: PageRequest, env: Environment): Promise<Response> {
  try {
    const fields = await readForm(request, ['purpose', 'next', 'csrfmiddlewaretoken'])
    const session = await sessionOf(request)
    if (!session) throw notLoggedIn()
    await requireOwnPage(request, session, fields.csrfmiddlewaretoken)
    const purpose = fields.purpose === 'connect' ? 'connect' : 'prove'
    const { operation } = purpose === 'connect' ? beginConnectingStep : getOwnUserEndpoint
    await askOrRefuse(request, env, operation, {}, { session })
    const destination = { kind: 'session', next: ownPath(fields.next, new URL(request.url).origin) } as const
    const flow = { purpose, destination, invitation: null, session: session.digest } as const
    const { location, cookie } = await begin(request, env, flow)
    const response = await respondSuccess({ url: location })
    response.headers.append('Set-Cookie', cookie)
    return response
  } catch (thrown) {
    const error = thrown instanceof TroubleError ? thrown.toApiError(request) : thrown
    if (!(error instanceof ApiError)) throw error
    return respondError(error)
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

/** Limit of a token, in characters: more than any provider's. */
const MAX_TOKEN = 16_384

/**
 * POST /accounts/logout/backchannel/{provider}: a provider reports that it logged a user out. Source:
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
  await askOrRefuse(request, env, logOutByProviderStep.operation, params)
}

/** The reason is only in the audit log, since anyone may call this. */
function refuse(status: number): Response {
  return Response.json({ error: 'invalid_request' }, { status, headers: { 'Cache-Control': 'no-store' } })
}
