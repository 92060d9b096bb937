import type { Endpoint } from '../../api/define-endpoint.ts'
import {
  createBigBlueButtonCallEndpoint,
  createConstructorGroupsCallEndpoint,
  createNextcloudTalkCallEndpoint,
  createWebexCallEndpoint,
  createZoomCallEndpoint,
  summarizeMessagesEndpoint,
} from './absent-services.ts'
import { getServerSettingsEndpoint } from './get-server-settings.ts'

export const SERVER_ENDPOINTS: readonly Endpoint[] = [
  createBigBlueButtonCallEndpoint,
  createConstructorGroupsCallEndpoint,
  createNextcloudTalkCallEndpoint,
  createWebexCallEndpoint,
  createZoomCallEndpoint,
  getServerSettingsEndpoint,
  summarizeMessagesEndpoint,
]
