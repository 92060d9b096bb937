import type { WantedCall } from '../../core/call-services.ts'
import { BadRequestError, UnknownZoomUserError } from '../../core/errors.ts'
import { webAddress } from '../../integrations/markdown.ts'
import { basicAuthorization } from '../credentials.ts'
import { askService, payloadOf, type ServiceAnswer } from './ask-service.ts'
import { linkToNewCall } from './big-blue-button.ts'
import {
  bigBlueButtonSettings,
  type CallEnvironment,
  type NextcloudSettings,
  nextcloudSettings,
  type ZoomSettings,
  zoomSettings,
} from './call-settings.ts'

/**
 * Makes a call of an organization, with a service that the deployment is connected with. Returns its link: an address, or a path here.
 *
 * @throws ApiError
 */
export async function createCall(env: CallEnvironment, realmId: number, wanted: WantedCall): Promise<string> {
  switch (wanted.service) {
    case 'zoom':
      return createZoomMeeting(zoomSettings(env)!, wanted)
    case 'nextcloud_talk':
      return createNextcloudRoom(nextcloudSettings(env)!, wanted)
    case 'big_blue_button':
      return linkToNewCall(bigBlueButtonSettings(env)!, { realmId, ...wanted })
  }
}

/** A room that everyone with its link may enter. Source: Nextcloud Talk's API documentation, “Constants”, conversation types. */
const PUBLIC_ROOM = 3
/** Characters of a room's name. */
const MAX_ROOM_NAME = 255
const TOKEN = /^[A-Za-z0-9]{1,32}$/

/**
 * Makes a public room, and returns its link. Source: Nextcloud Talk's API documentation, “Creating a new conversation”.
 *
 * @throws BadRequestError
 */
async function createNextcloudRoom(
  { url, user, password }: NextcloudSettings,
  { title }: { readonly title: string },
): Promise<string> {
  const answer = await askService(`${url}/ocs/v2.php/apps/spreed/api/v4/room`, {
    method: 'POST',
    headers: {
      Authorization: basicAuthorization(user, password),
      'OCS-APIRequest': 'true',
      Accept: 'application/json',
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({ roomType: PUBLIC_ROOM, roomName: title.slice(0, MAX_ROOM_NAME) }),
  })
  const isMade = answer?.status === 200 || answer?.status === 201
  const token = isMade ? payloadOf(answer).text('ocs', 'data', 'token') : ''
  if (!TOKEN.test(token)) throw new BadRequestError('Failed to create Nextcloud Talk room')
  return `${url}/call/${token}`
}

/** Zoom's code for an address that no user of the account has. Source: Zoom's API reference, “Create a meeting”. */
const NO_SUCH_USER = 1001

/**
 * Makes a meeting whose host is the account's user with this address, and returns the link for everybody.
 *
 * @throws UnknownZoomUserError, BadRequestError
 */
async function createZoomMeeting(
  zoom: ZoomSettings,
  { email, isVideo }: { readonly email: string; readonly isVideo: boolean },
): Promise<string> {
  const token = await takeToken(zoom)
  const answer = await askService(`${zoom.apiUrl}/v2/users/${encodeURIComponent(email)}/meetings`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      // An instant meeting.
      type: 1,
      default_password: true,
      settings: { host_video: isVideo, participant_video: isVideo },
    }),
  })
  if (answer?.status === 404 && payloadOf(answer).number('code') === NO_SUCH_USER)
    throw new UnknownZoomUserError()
  const url = answer?.status === 201 ? webAddress(payloadOf(answer).text('join_url')) : undefined
  if (url === undefined) throw failedZoomCall(answer)
  return url
}

/** Takes an access token for the account, which holds for an hour. Source: Zoom's documentation, “Server-to-Server OAuth”. */
async function takeToken({ url, accountId, clientId, clientSecret }: ZoomSettings): Promise<string> {
  const form = new URLSearchParams({ grant_type: 'account_credentials', account_id: accountId })
  const answer = await askService(`${url}/oauth/token`, {
    method: 'POST',
    headers: {
      Authorization: basicAuthorization(clientId, clientSecret),
      'Content-Type': 'application/x-www-form-urlencoded',
    },
    body: form.toString(),
  })
  const token = answer?.status === 200 ? payloadOf(answer).text('access_token') : ''
  if (token === '') throw failedZoomCall(answer)
  return token
}

function failedZoomCall(answer: ServiceAnswer | undefined): BadRequestError {
  const isRefused = answer?.status === 400 || answer?.status === 401
  return new BadRequestError(isRefused ? 'Invalid Zoom credentials' : 'Failed to create Zoom call')
}
