import type { Endpoint } from '../define-endpoint.ts'
import {
  createBigBlueButtonCallEndpoint,
  createConstructorGroupsCallEndpoint,
  createNextcloudTalkCallEndpoint,
  createWebexCallEndpoint,
  createZoomCallEndpoint,
  fetchApiKeyByTokenEndpoint,
  summarizeMessagesEndpoint,
} from './absent-services.ts'
import { getServerSettingsEndpoint } from './get-server-settings.ts'

export const SERVER_ENDPOINTS: readonly Endpoint[] = [
  createBigBlueButtonCallEndpoint,
  createConstructorGroupsCallEndpoint,
  createNextcloudTalkCallEndpoint,
  createWebexCallEndpoint,
  createZoomCallEndpoint,
  fetchApiKeyByTokenEndpoint,
  getServerSettingsEndpoint,
  summarizeMessagesEndpoint,
]
