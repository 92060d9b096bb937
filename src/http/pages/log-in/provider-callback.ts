import { ApiError } from '../../../core/errors.ts'
import {
  connectLoginIdentityStep,
  logInWithProviderStep,
  proveWithProviderStep,
} from '../../../features/login-providers/log-in-with-provider.ts'
import type { Connected } from '../../../model/login-providers/connect-login-identity.ts'
import type { ProviderLogin } from '../../../model/login-providers/log-in-with-provider.ts'
import type { ProvenPerson } from '../../../model/login-providers/proven-person.ts'
import { askRealm } from '../../ask-realm.ts'
import { sessionOf } from '../../browser-session.ts'
import type { Environment } from '../../environment.ts'
import { type AskedProvider, type CameBack, personFromProvider } from '../../providers/ask-provider.ts'
import { languageOfRequest } from '../door-texts/texts-of-request.ts'
import type { PageRequest } from '../page-request.ts'
import { countingFailures } from './door-limits.ts'
import { redirectWith } from './login-answers.ts'
import { beginLogin } from './login-end.ts'
import { endFlow, hasFlow, keptFlow, type ProviderFlow } from './provider-flow.ts'
import { askedProvider, atProvider, onPage, TroubleError } from './provider-troubles.ts'
import { respondFinished } from './respond-finished.ts'
import { takePicture } from './take-picture.ts'

/**
 * GET /complete/{provider}/: where the provider sends the browser back to. Ends the log-in that this very browser has begun, once. Source:
 * docs/interface/login.md#at-a-provider.
 */
export async function comeBackFromProvider(request: PageRequest, env: Environment): Promise<Response> {
  const response = await onPage(request, () => {
    // What no browser has begun here costs nothing, and counts for nothing: a page of another site may make its readers ask for it.
    if (!hasFlow(request)) throw new TroubleError('expired')
    return countingFailures('provider', request, env, () => end(request, env))
  })
  response.headers.append('Set-Cookie', endFlow(request))
  return response
}

async function end(request: PageRequest, env: Environment): Promise<Response> {
  const slug = request.params.provider!
  const { searchParams } = new URL(request.url)
  const flow = await keptFlow(request, env, slug)
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
