import type { Endpoint } from '../define-endpoint.ts'
import { sendMessageEndpoint } from './send-message.ts'

export const MESSAGE_ENDPOINTS: readonly Endpoint[] = [sendMessageEndpoint]
