import type { WorkerContext } from '../../../api/worker-context.ts'
import { basicAuthorization } from '../../../core/basic-authorization.ts'
import { BadRequestError } from '../../../core/errors.ts'
import { linkToNewCall } from './big-blue-button.ts'
import {
  askService,
  bigBlueButtonSettings,
  type NextcloudSettings,
  nextcloudSettings,
  payloadOf,
  zoomServerApp,
} from './call-settings.ts'
import { createMeetingOf } from './zoom.ts'

/** A call that the deployment itself makes at a service. `title`: the name that the service shows. */
type WantedCall =
  | { readonly service: 'zoom_server_to_server'; readonly email: string; readonly isVideo: boolean }
  | {
      readonly service: 'big_blue_button'
      readonly title: string
      readonly isVideo: boolean
      readonly maker: number
    }
  | { readonly service: 'nextcloud_talk'; readonly title: string }

/**
 * Makes a call with a service that the deployment has set up, and returns its link: an address, or a path on this server.
 * @throws ApiError
 */
export async function createCall({ env, realmId }: WorkerContext, wanted: WantedCall): Promise<string> {
  switch (wanted.service) {
    case 'zoom_server_to_server':
      return createMeetingOf(zoomServerApp(env)!, wanted)
    case 'nextcloud_talk':
      return createNextcloudRoom(nextcloudSettings(env)!, wanted)
    case 'big_blue_button':
      return linkToNewCall(bigBlueButtonSettings(env)!, { realmId, ...wanted })
  }
}

/** A room open to everyone with its link. Source: Nextcloud Talk's API documentation, “Constants”, conversation types. */
const PUBLIC_ROOM = 3
/** Limit of a room's name, in characters. */
const MAX_ROOM_NAME = 255
const TOKEN = /^[A-Za-z0-9]{1,32}$/

/**
 * Makes a public room, and returns its link. Source: Nextcloud Talk's API documentation, “Creating a new conversation”.
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
