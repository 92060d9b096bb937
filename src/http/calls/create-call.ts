import type { WantedCall } from '../../core/call-services.ts'
import { linkToNewCall } from './big-blue-button.ts'
import {
  bigBlueButtonSettings,
  type CallEnvironment,
  nextcloudSettings,
  zoomSettings,
} from './call-settings.ts'
import { createNextcloudRoom } from './nextcloud-talk.ts'
import { createZoomMeeting } from './zoom.ts'

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
