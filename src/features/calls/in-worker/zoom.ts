import { basicAuthorization } from '../../../core/basic-authorization.ts'
import type { CallEnvironment } from '../../../core/call-services.ts'
import { BadRequestError, UnknownZoomUserError } from '../../../core/errors.ts'
import { HOUR } from '../../../core/time.ts'
import { webAddress } from '../../../integrations/markdown.ts'
import {
  askService,
  payloadOf,
  type ServiceAnswer,
  type ZoomApp,
  type ZoomServerApp,
  zoomLoginApp,
} from './call-settings.ts'

/** Zoom's error code for an address that no user of the account has. Source: Zoom's API reference, “Create a meeting”. */
const NO_SUCH_USER = 1001

/** Limit of a token, in characters: Zoom's have fewer than a thousand. */
const MAX_TOKEN = 4_000
/** Limit of a user id, in characters. */
const MAX_ID = 200
/** The status with which Zoom refuses an access token. */
const UNAUTHORIZED = 401

/** The tokens with which this server acts at Zoom for one of its users. */
export interface ZoomTokens {
  readonly access: string
  /** Exchanged for new tokens, once. */
  readonly refresh: string
  /** Seconds for which `access` is valid. */
  readonly expiresIn: number
}

interface ZoomMeeting {
  /** The link for everyone. */
  readonly url: string
  /** Zoom's id of the host; null if Zoom does not give it. */
  readonly hostId: string | null
}

/**
 * Makes a meeting hosted by the account's user with this address, and returns the link for participants.
 * @throws UnknownZoomUserError, BadRequestError
 */
export async function createMeetingOf(
  zoom: ZoomServerApp,
  { email, isVideo }: { readonly email: string; readonly isVideo: boolean },
): Promise<string> {
  const grant = { grant_type: 'account_credentials', account_id: zoom.accountId }
  const asked = await askForToken(zoom, grant)
  const token = asked?.status === 200 ? payloadOf(asked).text('access_token') : ''
  if (token === '') throw failedCall(asked)
  const answer = await createMeeting(zoom, { user: email, token, isVideo })
  if (answer?.status === 404 && payloadOf(answer).number('code') === NO_SUCH_USER)
    throw new UnknownZoomUserError()
  return linkIn(answer)
}

/**
 * Makes a meeting as the user of this token. `refused`: it is no longer valid.
 * @throws BadRequestError if no meeting was made for another reason
 */
export async function makeOwnMeeting(
  env: CallEnvironment,
  token: string,
  { isVideo }: { readonly isVideo: boolean },
): Promise<ZoomMeeting | 'refused'> {
  const answer = await createMeeting(zoomLoginApp(env)!, { user: 'me', token, isVideo })
  if (answer?.status === UNAUTHORIZED) return 'refused'
  const hostId = payloadOf(answer).text('host_id')
  return { url: linkIn(answer), hostId: hostId === '' || hostId.length > MAX_ID ? null : hostId }
}

/** Exchanges the refresh token of a user, as `exchangeForTokens` does. */
export function renewTokens(env: CallEnvironment, refresh: string): Promise<ZoomTokens | 'refused'> {
  return exchangeForTokens(zoomLoginApp(env)!, { grant_type: 'refresh_token', refresh_token: refresh })
}

/**
 * Exchanges a login code or a refresh token for tokens. `refused`: Zoom does not accept it, or no longer does. Source: Zoom's
 * documentation, “OAuth 2.0”.
 * @throws BadRequestError when Zoom does not answer, or does not know this server
 */
export async function exchangeForTokens(
  zoom: ZoomApp,
  grant: Readonly<Record<string, string>>,
): Promise<ZoomTokens | 'refused'> {
  const answer = await askForToken(zoom, grant)
  const payload = payloadOf(answer)
  if (answer && isRefused(answer)) {
    // The credentials of this server are wrong; the user's token may still be valid.
    if (payload.text('error') === 'invalid_client') throw failedCall(answer)
    return 'refused'
  }
  const [access, refresh] = [payload.text('access_token'), payload.text('refresh_token')]
  const isWhole = [access, refresh].every(({ length }) => length > 0 && length <= MAX_TOKEN)
  if (answer?.status !== 200 || !isWhole) throw failedCall(undefined)
  // Zoom's access tokens are valid for an hour.
  const expiresIn = Math.floor(payload.number('expires_in') ?? HOUR)
  return { access, refresh, expiresIn: Math.min(Math.max(expiresIn, 0), HOUR) }
}

function askForToken(
  { url, clientId, clientSecret }: ZoomApp,
  grant: Readonly<Record<string, string>>,
): Promise<ServiceAnswer | undefined> {
  return askService(`${url}/oauth/token`, {
    method: 'POST',
    headers: {
      Authorization: basicAuthorization(clientId, clientSecret),
      'Content-Type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams(grant).toString(),
  })
}

/** `user`: the address of the host, or `me` for the owner of the token. */
function createMeeting(
  { apiUrl }: ZoomApp,
  { user, token, isVideo }: { readonly user: string; readonly token: string; readonly isVideo: boolean },
): Promise<ServiceAnswer | undefined> {
  return askService(`${apiUrl}/v2/users/${encodeURIComponent(user)}/meetings`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      // An instant meeting.
      type: 1,
      default_password: true,
      settings: { host_video: isVideo, participant_video: isVideo },
    }),
  })
}

/** Returns the link for participants. @throws BadRequestError if no meeting was made */
function linkIn(answer: ServiceAnswer | undefined): string {
  const url = answer?.status === 201 ? webAddress(payloadOf(answer).text('join_url')) : undefined
  if (url === undefined) throw failedCall(answer)
  return url
}

function failedCall(answer: ServiceAnswer | undefined): BadRequestError {
  return new BadRequestError(
    answer && isRefused(answer) ? 'Invalid Zoom credentials' : 'Failed to create Zoom call',
  )
}

function isRefused({ status }: ServiceAnswer): boolean {
  return status === 400 || status === UNAUTHORIZED
}
