import { waitUntil } from 'cloudflare:workers'
import { storeAvatar } from '../../../api/in-worker/store-image.ts'
import { ApiError } from '../../../core/errors.ts'
import { MIB } from '../../../core/files.ts'
import { log } from '../../../core/log.ts'
import { hostsIn } from '../../../core/outgoing-target.ts'
import { outOfRequest } from '../../../core/request-record.ts'
import {
  connectLoginIdentityStep,
  enterPictureOfProviderStep,
  logInWithProviderStep,
  proveWithProviderStep,
  reservePictureOfProviderStep,
} from '../../../features/login-providers/log-in-with-provider.ts'
import type { Connected, ProviderLogin } from '../../../model/login-providers/log-in-with-provider.ts'
import type { ProvenPerson } from '../../../model/login-providers/proven-person.ts'
import { callOut } from '../../../realm/outgoing/call-out.ts'
import { askRealm } from '../../ask-realm.ts'
import { sessionOf } from '../../browser-session.ts'
import type { Environment } from '../../environment.ts'
import { picturesOf } from '../../files/decode-pictures.ts'
import { fileStoreOn } from '../../files/stored-files.ts'
import { waitForMemory } from '../../memory-share.ts'
import { type AskedProvider, type CameBack, personFromProvider } from '../../providers/ask-provider.ts'
import { requireProviderAddress } from '../../providers/provider-calls.ts'
import { endFlow, hasFlow } from '../../sealed-flow.ts'
import { languageOfRequest } from '../door-texts/texts-of-request.ts'
import type { PageRequest } from '../page-request.ts'
import { askOrRefuse } from './ask-for-login.ts'
import { countingFailures } from './door-limits.ts'
import { redirectWith } from './login-answers.ts'
import { beginLogin } from './login-end.ts'
import { keptLogin, LOGIN_FLOW, type ProviderFlow } from './provider-flow.ts'
import { askedProvider, atProvider, onPage, TroubleError } from './provider-troubles.ts'
import { respondFinished } from './respond-finished.ts'

/**
 * GET /complete/{provider}/: where the provider sends the browser back to. Ends the log-in that this very browser has begun, once. Source:
 * docs/interface/login.md#at-a-provider.
 */
export async function comeBackFromProvider(request: PageRequest, env: Environment): Promise<Response> {
  const response = await onPage(request, () => {
    // A callback that no browser has begun here costs nothing, and is not counted: a page of another site may make its readers ask for it.
    if (!hasFlow(request, LOGIN_FLOW)) throw new TroubleError('expired')
    return countingFailures('provider', request, env, () => end(request, env))
  })
  response.headers.append('Set-Cookie', endFlow(request, LOGIN_FLOW))
  return response
}

async function end(request: PageRequest, env: Environment): Promise<Response> {
  const slug = request.params.provider!
  const { searchParams } = new URL(request.url)
  const flow = await keptLogin(request, env, slug)
  if (!flow || searchParams.get('state') !== flow.secrets.state) throw new TroubleError('expired')
  const asked = await askedProvider(request, env, slug)
  const since = flow.purpose === 'prove' ? flow.begunAt : null
  const { person, picture } = await atProvider(request, asked, () =>
    personFromProvider(asked, flow.secrets, since, searchParams),
  )
  return flow.session === null
    ? logIn(request, asked, flow, { person, picture })
    : confirm(request, asked, flow as ProviderFlow & { session: string }, person)
}

async function logIn(
  request: PageRequest,
  found: AskedProvider,
  { destination, invitation }: ProviderFlow,
  { person, picture }: CameBack,
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
  const asked = await askRealm(request, env, logInWithProviderStep.operation, params)
  if (!asked.ok) throw ApiError.fromWire(asked.error)
  const login = asked.value as ProviderLogin
  if (login.kind === 'refused') {
    throw new TroubleError(login.because, { name: provider.displayName, email: person.email })
  }
  if (login.hasJoined && picture !== null && provider.takesPicture) {
    takePicture(request, found, login.finished.user_id, picture)
  }
  return respondFinished(request, env, underWay, login.finished)
}

/** Connects the person with the account that is logged in, or notes that they are still there: in the session that has begun it. */
async function confirm(
  request: PageRequest,
  { env, provider }: AskedProvider,
  flow: ProviderFlow & { readonly session: string },
  { subject, sid }: ProvenPerson,
): Promise<Response> {
  const session = await sessionOf(request)
  if (session?.digest !== flow.session) throw new TroubleError('expired')
  const who = { provider_id: provider.id, issuer: provider.issuer, subject }
  const asked =
    flow.purpose === 'connect'
      ? await askRealm(request, env, connectLoginIdentityStep.operation, who, { session })
      : await askRealm(request, env, proveWithProviderStep.operation, { ...who, sid }, { session })
  if (!asked.ok) throw ApiError.fromWire(asked.error)
  const { refused } = asked.value as Connected
  if (refused !== null) throw new TroubleError(refused, { name: provider.displayName })
  return redirectWith(flow.destination.kind === 'session' ? flow.destination.next : '/', [])
}

const TIMEOUT_MS = 10_000
/** As of a picture that people upload. */
const MAX_BYTES = 5 * MIB

/**
 * Gives a new user the picture that the provider has of them, after they were let in: nobody waits for it, and without it they
 * have the picture that everybody begins with. Source: docs/interface/login.md#at-a-provider.
 */
function takePicture(request: Request, asked: AskedProvider, user_id: number, address: string): void {
  const taking = () =>
    take(request, asked, user_id, address).catch((error: unknown) =>
      log('warn', 'The picture that a provider has of a person cannot be taken', { error }),
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
  const giveBack = await waitForMemory(MAX_BYTES)
  try {
    const bytes = await fetchPicture(address, hostsIn(env.WEBHOOK_ALLOWED_HOSTS))
    const ask = (operation: string, more: object) =>
      askOrRefuse(request, env, operation, { ...whose, ...more }, true)
    await ask(reservePictureOfProviderStep.operation, { file_id: fileId })
    const file = { name: 'picture', contentType: '', content: only(bytes) }
    const worker = { realmId, fileId, store: fileStoreOn(env.UPLOADS), images: picturesOf(env) }
    await ask(enterPictureOfProviderStep.operation, { path: await storeAvatar(file, worker) })
  } finally {
    giveBack?.()
  }
}

/** Fetches a picture over https, from the public network, without redirects: those may lead anywhere. */
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
