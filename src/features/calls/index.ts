import type { Endpoint } from '../../api/define-endpoint.ts'
import { createBigBlueButtonCallEndpoint } from './create-big-blue-button-video-call.ts'
import { createNextcloudTalkCallEndpoint } from './create-nextcloud-talk-video-call.ts'
import { createZoomCallEndpoint } from './create-zoom-call.ts'

export const CALL_ENDPOINTS: readonly Endpoint[] = [
  createBigBlueButtonCallEndpoint,
  createNextcloudTalkCallEndpoint,
  createZoomCallEndpoint,
]
