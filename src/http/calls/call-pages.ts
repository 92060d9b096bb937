import { ApiError, BadRequestError } from '../../core/errors.ts'
import { tryParseJson } from '../../core/json.ts'
import { sealerOf } from '../../core/sealed-secret.ts'
import { MINUTE } from '../../core/time.ts'
import { type CallGuest, insertCallStep } from '../../features/calls/calls.ts'
import { joinMeeting, readLink } from '../../features/calls/in-worker/big-blue-button.ts'
import { sealTokens } from '../../features/calls/in-worker/call-by-own-zoom.ts'
import {
  bigBlueButtonSettings,
  type ZoomApp,
  zoomLoginApp,
} from '../../features/calls/in-worker/call-settings.ts'
import { exchangeForTokens } from '../../features/calls/in-worker/zoom.ts'
import {
  beginZoomLoginStep,
  connectZoomAccountStep,
  deauthorizeZoomUserStep,
} from '../../features/calls/zoom-accounts.ts'
import { Payload } from '../../integrations/payload.ts'
import { hmac, isSameText } from '../../integrations/signatures.ts'
import { onPage, respondAuthPage } from '../html/auth-page.ts'
import { html } from '../html/html.ts'
import { textsOfRequest } from '../html/texts-of-request.ts'
import { readText } from '../input/arriving-body.ts'
import { askOrRefuse, askRealm } from '../operations/ask-realm.ts'
import { leadToLogin, redirectWith } from '../pages/log-in/login-answers.ts'
import { countBegunLogin, countingFailures } from '../pages/log-in/login-end.ts'
import { authorizationAddress, type FlowSecrets, newFlowSecrets } from '../providers/code-flow.ts'
import { sessionOf } from '../request/browser-session.ts'
import { type Environment, originAt } from '../request/environment.ts'
import { findRealm } from '../request/find-realm.ts'
import type { PageRequest } from '../request/request-url.ts'
import { respondError, respondSuccess } from '../request/respond.ts'
import { endFlow, type FlowKind, hasFlow, keepFlow, keptFlow } from '../request/sealed-flow.ts'

/** The path of the pages for logging in at Zoom. */
export const ZOOM_PATH = '/calls/zoom'

const ZOOM_FLOW: FlowKind = { cookie: 'zoom_flow', purpose: 'zoom log-in under way' }

interface ZoomFlow {
  readonly secrets: FlowSecrets
  /** The digest of the session that started it. */
  readonly session: string
}

/** GET /calls/zoom/register: sends a logged-in browser to Zoom, where its user allows this server to make meetings for them. */
export async function beginAtZoom(request: PageRequest, env: Environment): Promise<Response> {
  return onPage(request, textsOfRequest(request).zoom.title, async () => {
    const zoom = requireZoom(env)
    await countBegunLogin(request, env)
    const url = new URL(request.url)
    const session = await sessionOf(request)
    if (!session) return leadToLogin(url)
    const asked = await askRealm(request, env, beginZoomLoginStep.operation, {}, { session })
    if (!asked.ok && asked.error.status === 401) return leadToLogin(url)
    if (!asked.ok) throw ApiError.fromWire(asked.error)
    const flow: ZoomFlow = { secrets: newFlowSecrets(), session: session.digest }
    const location = await authorizationAddress(
      `${zoom.url}/oauth/authorize`,
      // The scopes are set in the app at Zoom.
      { clientId: zoom.clientId, redirectUri: redirectUri(url, env), scopes: '' },
      flow.secrets,
      {},
    )
    return redirectWith(location, [await keepFlow(request, env, ZOOM_FLOW, flow)])
  })
}

/** GET /calls/zoom/complete: completes, once, the login at Zoom that this browser and account started. */
export async function comeBackFromZoom(request: PageRequest, env: Environment): Promise<Response> {
  const response = await onPage(request, textsOfRequest(request).zoom.title, () => {
    // Without a pending login, nothing is asked or counted: a page of another site may send its readers here.
    if (!hasFlow(request, ZOOM_FLOW)) throw notBegunHere()
    return countingFailures('zoom', request, env, () => end(request, env))
  })
  response.headers.append('Set-Cookie', endFlow(request, ZOOM_FLOW))
  return response
}

async function end(request: PageRequest, env: Environment): Promise<Response> {
  const zoom = requireZoom(env)
  const url = new URL(request.url)
  const flow = await keptFlow<ZoomFlow>(request, env, ZOOM_FLOW)
  const session = await sessionOf(request)
  if (!flow || !session || session.digest !== flow.session) throw notBegunHere()
  if (url.searchParams.get('state') !== flow.secrets.state) throw notBegunHere()
  const code = url.searchParams.get('code') ?? ''
  if (code === '') throw new BadRequestError('Zoom access was declined.')
  const tokens = await exchangeForTokens(zoom, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri(url, env),
    code_verifier: flow.secrets.verifier,
  })
  if (tokens === 'refused') throw new BadRequestError('Invalid Zoom credentials')
  const realm = await findRealm(env.DB, url)
  const sealed = await sealTokens(sealerOf(env, realm?.id ?? 0), tokens)
  const params = { tokens: sealed, expires_in: tokens.expiresIn }
  await askOrRefuse(request, env, connectZoomAccountStep.operation, params, { session })
  const texts = textsOfRequest(request)
  return respondAuthPage(texts, texts.zoom.title, html`<p role="status">${texts.zoom.done}</p>`)
}

/** Seconds for which a post signed by Zoom is accepted. */
const SIGNED_FOR_SECONDS = 5 * MINUTE

/**
 * POST /calls/zoom/deauthorize: Zoom reports that one of its users has removed this server's app. Source:
 * docs/interface/organization.md#log-in-at-zoom.
 */
export async function deauthorizeAtZoom(request: PageRequest, env: Environment): Promise<Response> {
  try {
    await countingFailures('zoom', request, env, () => deauthorize(request, env))
    return await respondSuccess({})
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return respondError(error)
  }
}

async function deauthorize(request: PageRequest, env: Environment): Promise<void> {
  const { clientId } = requireZoom(env)
  if (!env.ZOOM_SECRET_TOKEN) throw new BadRequestError('Zoom is not configured on this server.')
  const body = await readText(request)
  if (!isSigned(request, body, env.ZOOM_SECRET_TOKEN)) throw new BadRequestError('Invalid signature.')
  const said = new Payload(tryParseJson(body))
  const [event, app, zoom_id] = [
    said.text('event'),
    said.text('payload', 'client_id'),
    said.text('payload', 'user_id'),
  ]
  if (event !== 'app_deauthorized' || app !== clientId || zoom_id === '') return
  await askOrRefuse(request, env, deauthorizeZoomUserStep.operation, { zoom_id })
}

/** Whether Zoom signed this body recently. Source: Zoom's documentation, “Using webhooks”, “Verify webhook events”. */
function isSigned({ headers }: Request, body: string, secret: string): boolean {
  const at = headers.get('x-zm-request-timestamp') ?? ''
  const isOfNow = Math.abs(Number(at) - Date.now() / 1_000) < SIGNED_FOR_SECONDS
  const expected = `v0=${hmac(secret, [`v0:${at}:${body}`])}`
  return isSameText(headers.get('x-zm-signature') ?? '', expected) && isOfNow
}

function requireZoom(env: Environment): ZoomApp {
  const zoom = zoomLoginApp(env)
  if (!zoom) throw new BadRequestError('Zoom is not configured on this server.')
  return zoom
}

function notBegunHere(): BadRequestError {
  return new BadRequestError('Invalid Zoom session identifier')
}

function redirectUri(url: URL, env: Environment): string {
  return `${originAt(url, env)}${ZOOM_PATH}/complete`
}

/** GET /calls/bigbluebutton/join: leads a logged-in browser into the call, and any other to the login page first. */
export function enterCall(request: PageRequest, env: Environment): Promise<Response> {
  return onPage(request, textsOfRequest(request).call.title, async () => {
    const settings = bigBlueButtonSettings(env)
    if (!settings) throw new BadRequestError('BigBlueButton is not configured on this server.')
    const url = new URL(request.url)
    const realm = await findRealm(env.DB, url)
    const session = await sessionOf(request)
    if (!session || !realm) return leadToLogin(url)
    const asked = await askRealm(request, env, insertCallStep.operation, {}, { session })
    if (!asked.ok && asked.error.status === 401) return leadToLogin(url)
    if (!asked.ok) throw ApiError.fromWire(asked.error)
    const call = readLink(settings, realm.id, url.searchParams)
    return redirectWith(await joinMeeting(settings, call, asked.value as CallGuest), [])
  })
}
