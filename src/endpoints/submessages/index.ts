import type { Endpoint } from '../define-endpoint.ts'
import { sendSubmessageEndpoint } from './send-submessage.ts'

export const SUBMESSAGE_ENDPOINTS: readonly Endpoint[] = [sendSubmessageEndpoint]
