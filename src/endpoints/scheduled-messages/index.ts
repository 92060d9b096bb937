import type { Endpoint } from '../define-endpoint.ts'

export const SCHEDULED_MESSAGE_ENDPOINTS: readonly Endpoint[] = []
