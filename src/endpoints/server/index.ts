import type { Endpoint } from '../define-endpoint.ts'
import { getServerSettingsEndpoint } from './get-server-settings.ts'

export const SERVER_ENDPOINTS: readonly Endpoint[] = [getServerSettingsEndpoint]
