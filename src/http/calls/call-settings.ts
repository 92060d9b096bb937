import type { CallService } from '../../core/call-services.ts'

/** Settings of the services that make calls (docs/configuration.md#calls). */
export interface CallEnvironment {
  /** Zoom's Server-to-Server OAuth. */
  readonly ZOOM_ACCOUNT_ID?: string
  readonly ZOOM_CLIENT_ID?: string
  readonly ZOOM_CLIENT_SECRET?: string
  /** `https://zoom.us` by default; Zoom for Government has another address. */
  readonly ZOOM_URL?: string
  readonly ZOOM_API_URL?: string
  /** The address below which BigBlueButton's `api/` is: `https://bbb.example.com/bigbluebutton/`. */
  readonly BIG_BLUE_BUTTON_URL?: string
  readonly BIG_BLUE_BUTTON_SECRET?: string
  readonly NEXTCLOUD_URL?: string
  /** The account that makes the rooms, and an app password of its. */
  readonly NEXTCLOUD_USER?: string
  readonly NEXTCLOUD_PASSWORD?: string
}

export interface ZoomSettings {
  readonly accountId: string
  readonly clientId: string
  readonly clientSecret: string
  readonly url: string
  readonly apiUrl: string
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

/** Returns the services that the deployment is connected with: those with all settings. */
export function callServices(env: CallEnvironment): readonly CallService[] {
  return [
    ...(bigBlueButtonSettings(env) ? (['big_blue_button'] as const) : []),
    ...(zoomSettings(env) ? (['zoom'] as const) : []),
    ...(nextcloudSettings(env) ? (['nextcloud_talk'] as const) : []),
  ]
}

export function zoomSettings(env: CallEnvironment): ZoomSettings | undefined {
  const { ZOOM_ACCOUNT_ID: accountId, ZOOM_CLIENT_ID: clientId, ZOOM_CLIENT_SECRET: clientSecret } = env
  const url = address(env.ZOOM_URL || 'https://zoom.us')
  const apiUrl = address(env.ZOOM_API_URL || 'https://api.zoom.us')
  return accountId && clientId && clientSecret && url && apiUrl
    ? { accountId, clientId, clientSecret, url, apiUrl }
    : undefined
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

/** Returns an address without the slash at its end; undefined for what is none. */
function address(entered: string | undefined): string | undefined {
  const text = entered?.trim() ?? ''
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) return undefined
  return text.endsWith('/') ? text.slice(0, -1) : text
}
