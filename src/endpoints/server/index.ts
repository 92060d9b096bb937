import type { Endpoint } from '../define-endpoint.ts'
import {
  createBigBlueButtonCallEndpoint,
  createZoomCallEndpoint,
  fetchApiKeyByTokenEndpoint,
  summarizeMessagesEndpoint,
} from './absent-services.ts'
import { getServerSettingsEndpoint } from './get-server-settings.ts'

export const SERVER_ENDPOINTS: readonly Endpoint[] = [
  createBigBlueButtonCallEndpoint,
  createZoomCallEndpoint,
  fetchApiKeyByTokenEndpoint,
  getServerSettingsEndpoint,
  summarizeMessagesEndpoint,
]
