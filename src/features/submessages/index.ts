import type { Endpoint } from '../../api/define-endpoint.ts'
import { sendSubmessageEndpoint } from './send-submessage.ts'

export const SUBMESSAGE_ENDPOINTS: readonly Endpoint[] = [sendSubmessageEndpoint]
