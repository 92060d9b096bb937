import { BadRequestError } from '../../core/errors.ts'
import { basicAuthorization } from '../basic-authorization.ts'
import { askService, payloadOf } from './ask-service.ts'
import type { NextcloudSettings } from './call-settings.ts'

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
export async function createNextcloudRoom(
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
