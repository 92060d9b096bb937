import type { Endpoint } from '../../api/define-endpoint.ts'
import {
  createConstructorGroupsCallEndpoint,
  createWebexCallEndpoint,
  summarizeMessagesEndpoint,
} from './absent-services.ts'
import { getServerSettingsEndpoint } from './get-server-settings.ts'

export const SERVER_ENDPOINTS: readonly Endpoint[] = [
  createConstructorGroupsCallEndpoint,
  createWebexCallEndpoint,
  getServerSettingsEndpoint,
  summarizeMessagesEndpoint,
]
