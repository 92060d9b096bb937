import type { CallEnvironment, CallService } from '../../../core/call-services.ts'
import { tryParseJson } from '../../../core/json.ts'
import { canSeal } from '../../../core/sealed-secret.ts'
import { Payload } from '../../../integrations/payload.ts'
import { callOut } from '../../../outgoing/call-out.ts'

export interface ZoomApp {
  readonly clientId: string
  readonly clientSecret: string
  readonly url: string
  readonly apiUrl: string
}

export interface ZoomServerApp extends ZoomApp {
  readonly accountId: string
}

export interface BigBlueButtonSettings {
  readonly url: string
  readonly secret: string
}

export interface NextcloudSettings {
  readonly url: string
  readonly user: string
  readonly password: string
}

export function callServices(env: CallEnvironment): readonly CallService[] {
  return [
    ...(bigBlueButtonSettings(env) ? (['big_blue_button'] as const) : []),
    ...(zoomServerApp(env) ? (['zoom_server_to_server'] as const) : []),
    ...(zoomLoginApp(env) ? (['zoom'] as const) : []),
    ...(nextcloudSettings(env) ? (['nextcloud_talk'] as const) : []),
  ]
}

/** Returns the app that makes meetings for every user of its Zoom account. */
export function zoomServerApp(env: CallEnvironment): ZoomServerApp | undefined {
  const app = zoomApp(env)
  return app && env.ZOOM_ACCOUNT_ID ? { ...app, accountId: env.ZOOM_ACCOUNT_ID } : undefined
}

/** Returns the app to which each user logs in; undefined also if their tokens could not be sealed. */
export function zoomLoginApp(env: CallEnvironment): ZoomApp | undefined {
  return env.ZOOM_ACCOUNT_ID || !canSeal(env) ? undefined : zoomApp(env)
}

function zoomApp(env: CallEnvironment): ZoomApp | undefined {
  const { ZOOM_CLIENT_ID: clientId, ZOOM_CLIENT_SECRET: clientSecret } = env
  const url = address(env.ZOOM_URL || 'https://zoom.us')
  const apiUrl = address(env.ZOOM_API_URL || 'https://api.zoom.us')
  return clientId && clientSecret && url && apiUrl ? { clientId, clientSecret, url, apiUrl } : undefined
}

export function bigBlueButtonSettings(env: CallEnvironment): BigBlueButtonSettings | undefined {
  const [url, secret] = [address(env.BIG_BLUE_BUTTON_URL), env.BIG_BLUE_BUTTON_SECRET]
  return url && secret ? { url, secret } : undefined
}

export function nextcloudSettings(env: CallEnvironment): NextcloudSettings | undefined {
  const { NEXTCLOUD_USER: user, NEXTCLOUD_PASSWORD: password } = env
  const url = address(env.NEXTCLOUD_URL)
  return url && user && password ? { url, user, password } : undefined
}

/** Returns an address without its trailing slash; undefined if it is not a URL. */
function address(entered: string | undefined): string | undefined {
  const text = entered?.trim() ?? ''
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) return undefined
  return text.endsWith('/') ? text.slice(0, -1) : text
}

/** Timeout of one call to a service, in milliseconds. */
const PATIENCE_MS = 10_000
const MAX_ANSWER_BYTES = 100_000

export interface ServiceAnswer {
  readonly status: number
  readonly text: string
}

/** Calls a service that the deployment has set up; undefined if it does not answer in time. */
export async function askService(url: string, init: RequestInit = {}): Promise<ServiceAnswer | undefined> {
  try {
    const { response, body } = await callOut({
      url,
      named: { by: 'deployment' },
      init,
      timeoutMs: PATIENCE_MS,
      maxBytes: MAX_ANSWER_BYTES,
    })
    return { status: response.status, text: new TextDecoder().decode(body) }
  } catch {
    return undefined
  }
}

/** Returns the fields of a JSON answer; none if it is not JSON. */
export function payloadOf(answer: ServiceAnswer | undefined): Payload {
  return new Payload(tryParseJson(answer?.text ?? ''))
}
