import { BadRequestError, UnknownZoomUserError } from '../../core/errors.ts'
import { webAddress } from '../../integrations/markdown.ts'
import { basicAuthorization } from '../basic-authorization.ts'
import { askService, payloadOf, type ServiceAnswer } from './ask-service.ts'
import type { ZoomSettings } from './call-settings.ts'

/** Zoom's code for an address that no user of the account has. Source: Zoom's API reference, “Create a meeting”. */
const NO_SUCH_USER = 1001

/**
 * Makes a meeting whose host is the account's user with this address, and returns the link for everybody.
 *
 * @throws UnknownZoomUserError, BadRequestError
 */
export async function createZoomMeeting(
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
